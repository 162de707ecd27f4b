import Essentials

/// One telling of one change, in a fixture file. What was under way is not taken up again.
struct CallbackEventFixture: Codable, Sendable {
    /// UUID in lower case: the `Idempotency-Key`.
    var id: String
    /// Id of the callback.
    var callback: String
    /// What was told.
    var body: JSONValue
    var state: CallbackEvent.State
    var attempts: Int
    /// HTTP status of the last attempt.
    var status: Int?
    var failure: String?
    var createdAt: Date
    var changedAt: Date

    enum CodingKeys: String, CodingKey {
        case id, callback, body, state, attempts, status, failure
        case createdAt = "created_at"
        case changedAt = "changed_at"
    }
}
