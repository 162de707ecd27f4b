import Essentials
import PlatformKit
import SQLite

/// A code by which a user makes a new activation when the device is lost, with one-time PUKs.
struct RecoveryCode: Record, Equatable {
    static let table = Table("powerauth_recovery_code", key: "code", "application")

    enum State: String, Codable, Sendable, CaseIterable {
        case created = "CREATED"
        case active = "ACTIVE"
        case blocked = "BLOCKED"
        case revoked = "REVOKED"
    }

    struct PUK: Codable, Sendable, Equatable {
        enum State: String, Codable, Sendable, CaseIterable {
            case valid = "VALID"
            case used = "USED"
            case invalid = "INVALID"
        }

        /// Ten digits.
        let value: String
        var state: State
    }

    /// `XXXXX-XXXXX-XXXXX-XXXXX`; unique within its application.
    let code: String
    let application: String
    let user: String
    /// The one that received it, or that was made with it last; nil for a printed one.
    var activation: String?
    /// One that an activation received is active as soon as that is committed.
    var state: State
    /// Wrong PUKs since the last right one.
    var failedAttempts = 0
    /// In the order in which they are asked for.
    var puks: [PUK]

    enum CodingKeys: String, CodingKey {
        case code, application, user, activation, state, puks
        case failedAttempts = "failed_attempts"
    }
}

extension RecoveryCode {
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        code = try fields.decode(String.self, forKey: .code)
        application = try fields.decode(String.self, forKey: .application)
        user = try fields.decode(String.self, forKey: .user)
        activation = try fields.decodeIfPresent(String.self, forKey: .activation)
        state = try fields.decode(State.self, forKey: .state)
        failedAttempts = try fields.decodeIfPresent(Int.self, forKey: .failedAttempts) ?? 0
        puks = try fields.decode([PUK].self, forKey: .puks)
    }

    /// Index of the PUK that the user has to enter next, from 0; nil when all are used.
    var currentPUK: Int? { puks.firstIndex { $0.state == .valid } }

    /// The PUK is used up; with the last of them the code is, too.
    mutating func use(_ index: Int) {
        puks[index].state = .used
        failedAttempts = 0
        if currentPUK == nil { state = .revoked }
    }

    /// The code cannot be used any more, nor can the PUKs that are left.
    mutating func end(as state: State) {
        self.state = state
        for index in puks.indices where puks[index].state == .valid { puks[index].state = .invalid }
    }
}

extension RecoveryCode {
    /// With its id, which was given out when it was stored, in the order of the world's codes.
    struct Numbered: RowDecodable {
        let id: Int
        let code: RecoveryCode

        init(row: Row) throws { (id, code) = (try row.integer("position"), try RecoveryCode(row: row)) }
    }

    static func find(_ code: String, of application: String, in db: Connection) throws -> RecoveryCode? {
        try db.first(RecoveryCode.self, where: "code = \(code) AND application = \(application)")
    }

    static func all(of activation: String, in db: Connection) throws -> [RecoveryCode] {
        try db.all(RecoveryCode.self, where: "activation = \(activation)")
    }

    /// In the order in which they were made.
    static func numbered(in db: Connection) throws -> [Numbered] {
        try db.all(Numbered.self, "SELECT * FROM powerauth_recovery_code ORDER BY position")
    }
}

// What becomes of the codes of an activation with it.
extension RecoveryCode {
    /// The activation was committed: so is its code.
    static func confirm(of activation: Activation, in turn: Turn) throws {
        for var code in try all(of: activation.id, in: turn.db) where code.state == .created {
            code.state = .active
            try turn.update(code, .state)
        }
    }

    /// The activation was removed. A code that was usable outlives it, which is what it is for, unless it is to be revoked.
    static func release(of activation: Activation, revoking: Bool, in turn: Turn) throws {
        for var code in try all(of: activation.id, in: turn.db) where revoking || code.state == .created {
            code.end(as: .revoked)
            try turn.update(code)
        }
    }
}
