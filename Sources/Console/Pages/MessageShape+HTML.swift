import HTTP
import PlatformKit

extension MessageShape {
    /// What it is and who sent it.
    var about: String { kind.isEmpty ? source : "\(kind) · \(source)" }

    var shownSubject: String { subject.isEmpty ? "(no subject)" : subject }

    /// When code or link stop working, told at the time `now`; nil when they never do. Times of the API compare as text.
    func expiry(at now: String) -> HTML? {
        expiresAt.map { "<span class=\"expiry\">\($0 <= now ? "expired" : "expires") \(.time($0))</span>" }
    }
}

extension Message.Address {
    /// `Ada <ada@example.com>`, or the address alone.
    var shown: String {
        guard let name, !name.isEmpty else { return address }
        return "\(name) <\(address)>"
    }
}
