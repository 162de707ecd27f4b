import Essentials
import PlatformKit
import SQLite

/// One exchange of a device: an enrolment, a login, an AppLogin or a signature, with what is known of it so far.
struct Flow: Traced, Equatable {
    static let table = Table("nextauth_flow", limit: 10_000)

    enum State: String, Sendable, Codable, CaseIterable {
        case waitForInput = "WAIT_FOR_INPUT"
        case done = "DONE"
        case error = "ERROR"
    }

    /// What the device's user is asked; a flow without one waits for `complete`.
    enum Step: String, Sendable, Codable, CaseIterable {
        case confirm = "CONFIRM"
        case confirmTransaction = "CONFIRM_TRANSACTION"
        case setSecondFactor = "SET_SECOND_FACTOR"
        case verifySecondFactor = "VERIFY_SECOND_FACTOR"
    }

    /// How the second factor went.
    enum FactorResult: String, Sendable, Codable, CaseIterable {
        case success = "SUCCESS"
        case wrong = "WRONG"
        case blocked = "BLOCKED"
        case cancelled = "CANCELLED"
    }

    /// How a flow failed.
    enum Failure: String, Sendable, Codable, CaseIterable {
        case cancelled = "CANCELLED"
        case expired = "EXPIRED"
        case secondFactorBlocked = "SECOND_FACTOR_BLOCKED"
        case accountGone = "ACCOUNT_NOT_FOUND"
    }

    /// 16 bytes, base64url.
    let id: String
    let instance: String
    let server: String
    let type: FlowType
    var state = State.waitForInput
    var step: Step?
    var result: FactorResult?
    var failure: Failure?
    /// The session that is to be logged in; nil for an AppLogin and a transaction.
    var hsid: String?
    var ticket: String?
    var transaction: String?
    var message: String?
    var config = FlowConfig()
    /// 32 bytes, base64url.
    var challenge: String
    /// The one before the last wrong try, to explain a proof of it.
    var lastChallenge: String?
    var account: Int?
    /// The key has signed already.
    var isSigned = false
    var enrolment: Enrolment?
    /// The device session that came of it.
    var session: String?
    let createdAt: Date
    let expiresAt: Date

    /// What the device says of the account that it makes.
    struct Enrolment: Sendable, Equatable, Codable {
        /// SPKI in base64url.
        let publicKey: String
        let description: String
        let isHeadless: Bool
        let userInput: String?

        enum CodingKeys: String, CodingKey {
            case publicKey = "public_key"
            case description
            case isHeadless = "is_headless"
            case userInput = "user_input"
        }
    }

    enum CodingKeys: String, CodingKey {
        case id, instance, server, type, state, step, result, failure, hsid, ticket, transaction, message,
            config
        case challenge, account, enrolment, session
        case lastChallenge = "last_challenge"
        case isSigned = "is_signed"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
    }

    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_flow (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE, -- 16 bytes in base64url
            instance TEXT NOT NULL,
            server TEXT NOT NULL,
            type TEXT NOT NULL,
            state TEXT NOT NULL,
            step TEXT,
            result TEXT,
            failure TEXT,
            hsid TEXT,
            ticket TEXT,
            "transaction" TEXT,
            message TEXT,
            config TEXT NOT NULL, -- JSON
            challenge TEXT NOT NULL, -- 32 bytes in base64url
            last_challenge TEXT,
            account INTEGER,
            is_signed INTEGER NOT NULL,
            enrolment TEXT, -- JSON
            session TEXT,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX nextauth_flow_open ON nextauth_flow (expires_at) WHERE state = 'WAIT_FOR_INPUT'",
    ]
}

extension Flow {
    var subjects: [Subject] {
        [Subject(.flow, id, type.title)] + (ticket.map { [Subject(.code, secret: $0)] } ?? [])
            + (transaction.map { [Subject(.transaction, $0)] } ?? [])
            + (session.map { [Subject(.session, $0)] } ?? [])
    }
}

extension Flow {
    static func find(_ id: String, of instance: String, in db: Connection) throws -> Flow? {
        try db.first(Flow.self, where: "id = \(id) AND instance = \(instance)")
    }

    static func exists(_ id: String, in db: Connection) throws -> Bool {
        try db.exists(Flow.self, where: "id = \(id)")
    }

    /// Those that still wait for a device and should not any more.
    static func overdue(at now: Date, in db: Connection) throws -> [Flow] {
        try db.all(
            Flow.self, where: "state = 'WAIT_FOR_INPUT' AND expires_at <= \(now)",
            order: "expires_at, position")
    }
}

/// What a flow is for.
enum FlowType: String, Sendable, Codable, CaseIterable {
    case enrol = "ENROL"
    case login = "LOGIN"
    case appLogin = "APPLOGIN"
    case transaction = "TRANSACTION"

    fileprivate var title: String {
        switch self {
        case .enrol: "Enrolment"
        case .login: "Login"
        case .appLogin: "AppLogin"
        case .transaction: "Signature"
        }
    }
}

/// What a back end tells of a session; both parts have `ip`, `useragent`, `logo` and `info`, and are kept as they came.
struct UserContext: Sendable, Equatable, Codable {
    var sessionInfo: JSONValue?
    var announceInfo: JSONValue?

    enum CodingKeys: String, CodingKey {
        case sessionInfo = "sessioninfo"
        case announceInfo = "announceinfo"
    }
}
