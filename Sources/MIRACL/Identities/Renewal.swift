import Essentials

/// What an identity's own secrets were made of: the client's key, if it has one, and the master shares.
struct Secrets: Codable, Sendable, Equatable {
    /// Hexadecimal; nil for an identity without a key pair.
    var publicKey: String?
    /// Which master shares.
    var dtas: String

    enum CodingKeys: String, CodingKey {
        case dtas
        case publicKey = "public_key"
    }
}

/// How an identity changes its secrets. The old ones stay good until the new ones have proved something: a client that never heard
/// the answer with the new ones in it goes on with the old.
struct Renewal: Codable, Sendable, Equatable {
    /// Handed out, and not proved yet.
    var offered: Secrets?
    /// Those before the ones of now: documents that were signed with them until ``replacedAt`` can still be verified.
    var replaced: Secrets?
    var replacedAt: Date?
    /// The M-Pin id of the identity whose place this one takes with its first good proof.
    var predecessor: String?
    /// Of the one that took the place of this one.
    var successor: String?

    enum CodingKeys: String, CodingKey {
        case offered, replaced, predecessor, successor
        case replacedAt = "replaced_at"
    }

    var isEmpty: Bool { self == Renewal() }
}

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
