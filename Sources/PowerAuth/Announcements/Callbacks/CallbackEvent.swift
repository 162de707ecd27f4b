import Essentials
import SQLite

/// One telling of one change to one address.
struct CallbackEvent: Sendable, Equatable, RowDecodable {
    enum State: String, Codable, Sendable, CaseIterable {
        /// An attempt is under way, or the first one is near.
        case processing = "PROCESSING"
        /// An attempt failed and another follows.
        case pending = "PENDING"
        case completed = "COMPLETED"
        case failed = "FAILED"
    }

    /// The `Idempotency-Key` of all attempts.
    let id: String
    let callback: String
    /// JSON text.
    let body: String
    var state: State
    /// That were made.
    var attempts: Int
    /// HTTP status of the last attempt; nil when nobody answered.
    var status: Int?
    var failure: String?
    let createdAt: Date
    var changedAt: Date

    init(
        id: String, callback: String, body: String, state: State = .processing, attempts: Int = 0,
        status: Int? = nil, failure: String? = nil, createdAt: Date, changedAt: Date
    ) {
        (self.id, self.callback, self.body, self.state) = (id, callback, body, state)
        (self.attempts, self.status, self.failure) = (attempts, status, failure)
        (self.createdAt, self.changedAt) = (createdAt, changedAt)
    }

    init(row: Row) throws {
        let id = try row.text("id")
        guard let state = State(rawValue: try row.text("state")) else {
            throw StoredValueUnknown(table: "powerauth_callback_event", id: id)
        }
        self.init(
            id: id, callback: try row.text("callback"), body: try row.text("body"), state: state,
            attempts: try row.integer("attempts"), status: try row.optionalInteger("status"),
            failure: try row.optionalText("failure"), createdAt: try row.date("created_at"),
            changedAt: try row.date("changed_at"))
    }
}
