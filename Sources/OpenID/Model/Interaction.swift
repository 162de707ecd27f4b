import Essentials
import SQLite
import HTTP

/// A conversation with the person at a browser, from the request that began it to its answer; several at a time do not meet.
///
/// It stays when it is answered, so that the browser's back button leads somewhere, until its time is over.
struct Interaction: Sendable, Equatable {
    enum Kind: String, Sendable {
        case authorization, device, logout
    }

    /// SHA-256 of its handle, which stands in the address of its pages.
    var digest: [UInt8]
    var kind: Kind
    /// What began it: an authorization request, a user code, a logout request. A form.
    var parameters: String
    /// The `request_uri` behind which the parameters stood.
    var pushedURI: String?
    /// Key of its form tokens, 32 bytes.
    var secret: [UInt8]
    /// `sid` of the session in which somebody logged in for it.
    var loginSession: String?
    /// `sid` of the session in which somebody consented to it.
    var consentSession: String?
    var createdAt: Date
    var expiresAt: Date

    /// One hour.
    static let lifetimeSeconds = 3600.0
    /// In one world; beyond them the oldest is forgotten.
    static let limit = 1000

    var form: Form { Form(parameters) }
}

extension Interaction: RowDecodable {
    init(row: Row) throws {
        self.init(
            digest: try row.blob("digest"), kind: Kind(rawValue: try row.text("kind")) ?? .authorization,
            parameters: try row.text("parameters"), pushedURI: try row.optionalText("pushed_uri"),
            secret: try row.blob("secret"), loginSession: try row.optionalText("login_session"),
            consentSession: try row.optionalText("consent_session"), createdAt: try row.date("created_at"),
            expiresAt: try row.date("expires_at"))
    }
}
