import Essentials

/// A record of the audit log, in a fixture file.
struct AuditFixture: Codable, Sendable {
    var activation: String
    var user: String
    var application: String
    /// Such as `signature_ok`.
    var type: String
    var data: JSONValue
    var at: Date
}
