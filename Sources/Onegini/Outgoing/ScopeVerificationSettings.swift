import PlatformKit

/// The service that says whether a user may have scopes, as the section “scope services” of the vendor's admin console has it.
///
/// Source: Token Server documentation, topic “scope verification”.
struct ScopeVerificationSettings: Codable, Sendable, Equatable {
    /// Yes when left out; otherwise scopes are granted unasked.
    var isEnabled: Bool?
    /// Where the question is posted: `http` or `https`.
    var serviceEndpoint: String
    /// For HTTP Basic, when given.
    var username: String?
    var password: String?
    /// Where browsers of users go who may not have a scope, unless the scope names a place itself.
    var verificationFailedEndpoint: String?

    static let name = "scope_verification"
    static let setting = Setting<ScopeVerificationSettings>("onegini.scope_verification")

    enum CodingKeys: String, CodingKey {
        case isEnabled = "enabled"
        case serviceEndpoint = "service_endpoint"
        case username, password
        case verificationFailedEndpoint = "verification_failed_endpoint"
    }
}
