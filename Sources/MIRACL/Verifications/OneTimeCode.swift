import Essentials
import PlatformKit
import SQLite

/// A secret that is good once: what a mail, another device or a proof brings, to be typed or sent back.
struct OneTimeCode: Traced, Equatable {
    static let table = Table(
        "miracl_code", key: "kind", "text", "project_id", "user_id", keptSeconds: 86_400)

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

        fileprivate var title: String {
            switch self {
            case .link, .mail, .custom: "Verification"
            case .quickCode: "QuickCode"
            case .activation, .registration: "Registration"
            case .otp: "Login"
            case .dvsRegister: "Registration for signing"
            }
        }
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
    var subjects: [Subject] {
        [Subject(.code, secret: kind.rawValue + text, kind.title), Subject(.user, userID)]
            + (mpinID.map { [Subject(.identity, secret: $0)] } ?? [])
            + (accessID.map { [Subject(.login, $0)] } ?? [])
    }
}

extension OneTimeCode {
    /// The M-Pin id that a back end was told when it began the registration; nil where any will do.
    var promisedMPinID: String? { kind == .activation ? mpinID : nil }
}

extension OneTimeCode {
    /// The newest code of these kinds with this text, spent or not.
    ///
    /// - Parameter userID: nil where the text alone names it.
    static func find(
        _ kinds: [Kind], _ text: String, of userID: String? = nil, in projectID: String? = nil,
        _ db: Connection
    ) throws -> OneTimeCode? {
        try db.all(OneTimeCode.self, where: "text = \(text)", order: "position DESC").first { code in
            kinds.contains(code.kind) && (userID.map { $0 == code.userID } ?? true)
                && (projectID.map { $0 == code.projectID } ?? true)
        }
    }

    /// The newest first.
    static func all(
        _ kinds: [Kind], of userID: String, in projectID: String, _ db: Connection
    ) throws -> [OneTimeCode] {
        try db.all(
            OneTimeCode.self, where: "project_id = \(projectID) AND user_id = \(userID)",
            order: "position DESC"
        ).filter { kinds.contains($0.kind) }
    }

    /// Makes room for a code of the same digits, which a fixed one has each time, and a drawn one once in a million times.
    static func forget(_ code: OneTimeCode, in db: Connection) throws {
        try db.delete(
            OneTimeCode.self,
            where: """
                kind = \(code.kind.rawValue) AND text = \(code.text) AND project_id = \(code.projectID)
                    AND user_id = \(code.userID)
                """)
    }

    func spend(in turn: Turn) throws {
        try turn.spend(code: text, sentTo: userID)
        try turn.db.execute(
            """
            UPDATE miracl_code SET spent_at = \(turn.now)
            WHERE kind = \(kind.rawValue) AND text = \(text) AND user_id = \(userID)
                AND project_id = \(projectID) AND spent_at IS NULL
            """)
    }

    /// Counts a wrong code against all that the user could have meant; too many, and they are spent.
    static func noteFailure(_ kinds: [Kind], of userID: String, in projectID: String, _ turn: Turn) throws {
        for kind in kinds {
            try turn.db.execute(
                """
                UPDATE miracl_code SET failures = min(failures, \(failureLimit)) + 1,
                    spent_at = CASE WHEN failures + 1 >= \(failureLimit) THEN \(turn.now) END
                WHERE kind = \(kind.rawValue) AND project_id = \(projectID) AND user_id = \(userID)
                    AND spent_at IS NULL AND expires_at > \(turn.now)
                """)
        }
    }
}
