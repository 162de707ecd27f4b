/// An address that is told of changes, in a fixture file.
struct CallbackFixture: Codable, Sendable {
    /// UUID in lower case.
    var id: String
    var application: String
    var name: String
    var type: CallbackKind
    var url: String
    var attributes: [String]?
    /// With the vendor's names: `httpBasic`, `oauth2`.
    var authentication: CallbackAuthentication?
    /// 1 when left out.
    var maxAttempts: Int?
    /// ISO 8601; PT2S when left out.
    var initialBackoff: String?
    /// ISO 8601; P30D when left out.
    var retentionPeriod: String?
    /// True when left out; false for one that was removed.
    var isEnabled: Bool?

    enum CodingKeys: String, CodingKey {
        case id, application, name, type, url, attributes, authentication
        case maxAttempts = "max_attempts"
        case initialBackoff = "initial_backoff"
        case retentionPeriod = "retention_period"
        case isEnabled = "is_enabled"
    }
}
