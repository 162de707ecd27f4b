import Essentials
import SQLite

/// A code by which a user makes a new activation when the device is lost, with one-time PUKs.
struct RecoveryCode: Sendable, Equatable {
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

    /// Given out when it is stored, in the order of the world's codes.
    var id = 0
    /// `XXXXX-XXXXX-XXXXX-XXXXX`; unique within its application.
    let code: String
    let application: String
    let user: String
    /// The one that received it, or that was made with it last; nil for a printed one.
    var activation: String?
    /// One that an activation received is active as soon as that is committed.
    var state: State
    /// Wrong PUKs since the last right one.
    var failedAttempts: Int
    /// In the order in which they are asked for.
    var puks: [PUK]

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
