import Essentials

extension Identity {
    var secrets: Secrets { Secrets(publicKey: publicKey, dtas: dtas) }

    /// The same identity with other secrets.
    func with(_ secrets: Secrets) -> Identity {
        var other = self
        (other.publicKey, other.dtas) = (secrets.publicKey, secrets.dtas)
        return other
    }

    /// The identity with the secrets that it was handed last.
    var offered: Identity { renewal?.offered.map(with) ?? self }

    /// Hands out new secrets; such as it has already need no proof.
    mutating func offer(_ secrets: Secrets) {
        let isOwn = secrets == self.secrets
        change { $0.offered = isOwn ? nil : secrets }
    }

    /// The secrets that it was offered have proved something.
    mutating func takeUpOffer(at now: Date) {
        guard let new = renewal?.offered else { return }
        let old = secrets
        self = with(new)
        change { ($0.offered, $0.replaced, $0.replacedAt) = (nil, old, now) }
    }

    /// Another identity has taken its place.
    mutating func end(for successor: String, at now: Date) {
        state = .revoked
        change { ($0.successor, $0.replacedAt) = (successor, now) }
    }

    /// The one whose place it takes, told once.
    mutating func takePredecessor() -> String? {
        let predecessor = renewal?.predecessor
        change { $0.predecessor = nil }
        return predecessor
    }

    private mutating func change(_ change: (inout Renewal) -> Void) {
        var renewal = renewal ?? Renewal()
        change(&renewal)
        self.renewal = renewal.isEmpty ? nil : renewal
    }
}
