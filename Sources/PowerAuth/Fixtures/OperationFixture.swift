import Essentials

/// An operation in a fixture file.
struct OperationFixture: Codable, Sendable {
    /// UUID in lower case.
    var id: String
    /// Nobody's when left out.
    var user: String?
    /// The only one that may approve it.
    var activation: String?
    var applications: [String]
    /// Name of the template of which it was made; it may be gone.
    var template: String
    var type: String
    var data: String
    var parameters: [String: String]?
    var additionalData: [String: JSONValue]?
    /// `PENDING` when left out.
    var state: Operation.State?
    var stateReason: String?
    var factors: [String]
    var riskFlags: String?
    /// 0 when left out.
    var failures: Int?
    /// 5 when left out.
    var maxFailures: Int?
    /// 16 bytes in Base64; without it proximity is not checked.
    var proximitySeed: String?
    var flag: String?
    var externalID: String?
    /// `en` when left out.
    var language: String?
    var createdAt: Date
    var expiresAt: Date
    var finalizedAt: Date?

    enum CodingKeys: String, CodingKey {
        case id, user, activation, applications, template, type, data, parameters, state, factors, failures,
            flag
        case language
        case additionalData = "additional_data"
        case stateReason = "state_reason"
        case riskFlags = "risk_flags"
        case maxFailures = "max_failures"
        case proximitySeed = "proximity_seed"
        case externalID = "external_id"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
        case finalizedAt = "finalized_at"
    }
}
