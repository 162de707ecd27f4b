import Essentials
import HTTP
import PlatformKit
import SQLite

/// A conversation with the person at a browser, from the request that began it to its answer; several at a time do not meet.
///
/// It stays when it is answered, so that the browser's back button leads somewhere, until its time is over.
struct Interaction: Traced, Equatable {
    static let table = Table("openid_interaction", key: "digest")

    enum Kind: String, Codable, Sendable {
        case authorization, device, logout

        fileprivate var title: String {
            switch self {
            case .authorization: "Login"
            case .device: "Login on a device"
            case .logout: "Logout"
            }
        }
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

    enum CodingKeys: String, CodingKey {
        case digest, kind, parameters
        case pushedURI = "pushed_uri"
        case secret
        case loginSession = "login_session"
        case consentSession = "consent_session"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
    }

    /// One hour.
    static let lifetimeSeconds = 3600.0
    /// In one world; beyond them the oldest is forgotten.
    static let limit = 1000

    var form: Form { Form(parameters) }
}

extension Interaction {
    var subjects: [Subject] {
        [Subject(.login, digest: digest, kind.title, kind == .authorization ? "in the browser" : nil)]
    }
}

extension ServerRecords<Interaction> {
    func find(_ digest: [UInt8], at now: Date, in db: Connection) throws -> Interaction? {
        try first(where: "digest = \(digest) AND expires_at > \(now)", in: db)
    }

    /// Makes room first: the oldest of the world go, whether their time is over or not.
    func begin(_ interaction: Interaction, in db: Connection) throws {
        try db.delete(
            Interaction.self,
            where: "rowid <= (SELECT max(rowid) FROM openid_interaction) - \(Interaction.limit - 1)")
        try insert(interaction, in: db)
    }

    /// Writes down what became of a conversation; nothing where it is over.
    func change(_ digest: [UInt8], in db: Connection, _ change: (inout Interaction) -> Void) throws {
        guard var interaction = try first(where: "digest = \(digest)", in: db) else { return }
        change(&interaction)
        try update(interaction, in: db)
    }
}
