import Essentials
import OpenID
import PlatformKit
import SQLite

/// What a browser waits for while a phone decides: the access code of a login, or of a signature.
struct AccessSession: Traced, Equatable {
    static let table = Table("miracl_session", key: "access_id", keptSeconds: 3600)

    enum State: String, Codable, Sendable, CaseIterable {
        case new
        /// The code was read.
        case wid
        /// A user was chosen.
        case user
        case authenticated
        case signed
        /// The user said no.
        case abort
    }

    /// What the phone reads: the access code, 32 hexadecimal digits.
    var accessID: String
    /// What the browser asks with.
    var webOTT: String
    /// Seven digits that a user types where there is no camera; nil but for clients of the first generation.
    var accessNumber: String?
    var projectID: String
    var state = State.new
    /// What the relying party asked for; nil for a session that leads to no authorization code.
    var authorization: CheckedAuthorization?
    /// The user that the session was made for.
    var prerollID: String?
    var registerOnly = false
    var userID: String?
    /// What is to be signed: words for the user, and a hash in hexadecimal.
    var description: String?
    var hash: String?
    /// Base64 of the signature's JSON.
    var signature: String?
    /// Where the browser goes, with the authorization code in it.
    var redirectURL: String?
    /// What its QR code said where it was opened; nil where there is none.
    var qrURL: String?
    var createdAt: Date
    var expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case state, authorization, description, hash, signature
        case accessID = "access_id"
        case webOTT = "web_ott"
        case accessNumber = "access_number"
        case projectID = "project_id"
        case prerollID = "preroll_id"
        case registerOnly = "register_only"
        case userID = "user_id"
        case redirectURL = "redirect_url"
        case qrURL = "qr_url"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
    }
}

extension AccessSession {
    var subjects: [Subject] { [Subject(.login, accessID, hash == nil ? "Login" : "Signature", "by PIN")] }
}

extension AccessSession {
    var isOver: Bool { state == .authenticated || state == .signed || state == .abort }

    /// The newest with this access number.
    static func find(number: String, in db: Connection) throws -> AccessSession? {
        try db.first(AccessSession.self, where: "access_number = \(number)", order: "position DESC")
    }

    static func find(_ accessID: String, in db: Connection) throws -> AccessSession? {
        try db.first(AccessSession.self, where: "access_id = \(accessID)")
    }

    func isLive(at now: Date) -> Bool { expiresAt > now && !isOver }

    /// How many are ``isLive(at:)``.
    static func countLive(at now: Date, in db: Connection) throws -> Int {
        try db.count(
            AccessSession.self,
            where: """
                expires_at > \(now) AND state NOT IN \
                (\(State.authenticated.rawValue), \(State.signed.rawValue), \(State.abort.rawValue))
                """)
    }
}
