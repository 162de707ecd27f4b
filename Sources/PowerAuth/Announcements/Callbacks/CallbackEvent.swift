import Essentials
import SQLite

/// One telling of one change to one address. What was under way is not taken up again after a restart.
struct CallbackEvent: Record, Equatable {
    static let table = Table("powerauth_callback_event", limit: 10_000)

    enum State: String, Codable, Sendable, CaseIterable {
        /// An attempt is under way, or the first one is near.
        case processing = "PROCESSING"
        /// An attempt failed and another follows.
        case pending = "PENDING"
        case completed = "COMPLETED"
        case failed = "FAILED"
    }

    /// The `Idempotency-Key` of all attempts: UUID in lower case.
    let id: String
    let callback: String
    /// What was told.
    let body: JSONValue
    var state = State.processing
    /// That were made.
    var attempts = 0
    /// HTTP status of the last attempt; nil when nobody answered.
    var status: Int?
    var failure: String?
    let createdAt: Date
    var changedAt: Date

    enum CodingKeys: String, CodingKey {
        case id, callback, body, state, attempts, status, failure
        case createdAt = "created_at"
        case changedAt = "changed_at"
    }
}
