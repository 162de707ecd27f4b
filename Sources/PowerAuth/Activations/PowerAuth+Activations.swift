import Essentials
import SQLite

/// What a back end asks for when it starts a registration.
struct NewActivation: Sendable {
    var user: String
    var application: String
    var flags: [String] = []
    var otp: String?
    var commitPhase = Activation.CommitPhase.onCommit
    /// Now and the settings' validity when nil.
    var expiresAt: Date?
    /// The settings' when nil.
    var maxFailedAttempts: Int?
    /// False for one that a device makes without a code (CUSTOM, DIRECT, RECOVERY).
    var hasCode = true
}

/// What the device says of itself in the key exchange.
struct KeyExchange: Sendable {
    /// KEY_DEVICE, uncompressed, checked.
    let devicePoint: [UInt8]
    var name: String?
    var platform: String?
    var deviceInfo: String?
    var extras: String?
    var otp: String?
    var externalID: String?
}

/// The life of an activation: every change of state goes through here, is written to its history, and makes news.
extension PowerAuth {
    static let activationMigrations: [SQL] = []

    /// Registers: state CREATED, a code that no unused activation of the application has, a key pair of its own.
    func createActivation(_ new: NewActivation, in turn: inout Turn) throws -> Activation {
        throw NotBuilt("createActivation")
    }

    /// The activation as of this moment; one that ran out of time is stored as removed, with history and news.
    func activation(_ id: String, in turn: inout Turn) throws -> Activation? {
        throw NotBuilt("activation")
    }

    /// Trades keys: CREATED becomes PENDING_COMMIT or ACTIVE by commit phase and OTP. CTR_DATA is drawn, the master secret computed.
    ///
    /// - Returns: a refusal to throw after the transaction when the OTP was wrong: it is counted.
    func exchangeKeys(
        _ exchange: KeyExchange, with activation: Activation, in turn: inout Turn
    ) throws -> Result<Activation, ActivationRefusal> {
        throw NotBuilt("exchangeKeys")
    }

    func commit(
        _ activation: Activation, otp: String?, by externalUser: String?, in turn: inout Turn
    ) throws -> Result<Activation, ActivationRefusal> {
        throw NotBuilt("commit")
    }

    /// - Parameter reason: `NOT_SPECIFIED` when nil.
    func block(
        _ activation: Activation, reason: String?, by externalUser: String?, in turn: inout Turn
    ) throws -> Result<Activation, ActivationRefusal> {
        throw NotBuilt("block")
    }

    func unblock(
        _ activation: Activation, by externalUser: String?, in turn: inout Turn
    ) throws -> Result<Activation, ActivationRefusal> {
        throw NotBuilt("unblock")
    }

    /// From any state. Tokens and push registration go with it.
    func remove(
        _ activation: Activation, by externalUser: String?, revokingRecoveryCodes: Bool, in turn: inout Turn
    ) throws -> Activation {
        throw NotBuilt("remove")
    }

    func rename(
        _ activation: Activation, to name: String, by externalUser: String?, in turn: inout Turn
    ) throws -> Activation {
        throw NotBuilt("rename")
    }

    /// Counts a wrong authentication code, and blocks at the maximum; or a right one of more than possession, which resets.
    func count(
        failure isFailure: Bool, on activation: Activation, in turn: inout Turn
    ) throws -> Activation {
        throw NotBuilt("count")
    }
}
