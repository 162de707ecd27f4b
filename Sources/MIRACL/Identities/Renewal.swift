import Essentials

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
