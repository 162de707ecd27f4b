import Essentials
import SQLite

/// A secret that is good once: what a mail, another device or a proof brings, to be typed or sent back.
struct OneTimeCode: Codable, Sendable, Equatable {
    enum Kind: String, Codable, Sendable, CaseIterable {
        /// In the link of a mail: 32 hexadecimal digits.
        case link
        /// Six digits in a mail.
        case mail
        /// In the link that a back end asked for.
        case custom
        /// Six digits on another device of the user, for the confirmation of this one.
        case quickCode = "quick_code"
        /// What a confirmation gives: 32 hexadecimal digits.
        case activation
        /// Six digits on another device, which stand in the place of an activation token.
        case registration
        /// Six digits that a back end asks us about.
        case otp
        /// What lets an identity register its signing key, or have its secrets renewed.
        case dvsRegister = "dvs_register"
    }

    var kind: Kind
    var text: String
    var projectID: String
    var userID: String
    /// The identity that it confirms, or that asked for it.
    var mpinID: String?
    /// How an identity came about that is made with it.
    var origin: Identity.Origin?
    // What a confirmation hands back as it came.
    var deviceName: String?
    var accessID: String?
    var clientID: String?
    var redirectURI: String?
    var state: String?
    var nonce: String?
    var stage: String?
    var createdAt: Date
    var expiresAt: Date
    var spentAt: Date?
    /// Wrong codes that came for the same user and purpose while it was good.
    var failures = 0

    /// Wrong codes after which it is good no more. Source: ours, the original's is not known.
    static let failureLimit = 5

    enum CodingKeys: String, CodingKey {
        case kind, text, origin, state, nonce, stage, failures
        case projectID = "project_id"
        case userID = "user_id"
        case mpinID = "mpin_id"
        case deviceName = "device_name"
        case accessID = "access_id"
        case clientID = "client_id"
        case redirectURI = "redirect_uri"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
        case spentAt = "spent_at"
    }
}

extension OneTimeCode {
    /// The M-Pin id that a back end was told when it began the registration; nil where any will do.
    var promisedMPinID: String? { kind == .activation ? mpinID : nil }
}

extension OneTimeCode: RowDecodable {
    init(row: Row) throws {
        self.init(
            kind: Kind(rawValue: try row.text("kind")) ?? .link, text: try row.text("text"),
            projectID: try row.text("project_id"), userID: try row.text("user_id"),
            mpinID: try row.optionalText("mpin_id"),
            origin: try row.optionalText("origin").flatMap(Identity.Origin.init(rawValue:)),
            deviceName: try row.optionalText("device_name"), accessID: try row.optionalText("access_id"),
            clientID: try row.optionalText("client_id"), redirectURI: try row.optionalText("redirect_uri"),
            state: try row.optionalText("state"), nonce: try row.optionalText("nonce"),
            stage: try row.optionalText("stage"), createdAt: try row.date("created_at"),
            expiresAt: try row.date("expires_at"), spentAt: try row.optionalDate("spent_at"),
            failures: try row.integer("failures"))
    }
}
