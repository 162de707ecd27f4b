import Crypto
import Essentials
import PlatformKit
import SQLite

/// The life of an activation: every change of state goes through here, is written to its history, and makes news.
///
/// Source: published behaviour of the PowerAuth Server, activation states.
extension PowerAuth {
    static let blockedByAttempts = "MAX_FAILED_ATTEMPTS"
    static let blockedWithoutReason = "NOT_SPECIFIED"

    /// Registers: state CREATED, a code that no unused activation of the application has, a key pair of its own.
    ///
    /// - Throws: ``ActivationRefusal`` for an application that is not there or has no supported version, and for an end that is
    ///   not in the future.
    func createActivation(_ new: NewActivation, in turn: inout Turn) throws -> Activation {
        guard try Application.find(new.application, in: turn.db) != nil else {
            throw ActivationRefusal.applicationUnknown(new.application)
        }
        guard try ApplicationVersion.all(of: new.application, in: turn.db).contains(where: \.isSupported)
        else { throw ActivationRefusal.versionMissing(application: new.application) }
        let settings = try settings(in: turn.db)
        let expiresAt = new.expiresAt ?? turn.now + Double(settings.activationSeconds)
        guard expiresAt > turn.now else {
            throw ActivationRefusal.expiryInPast(expiresAt, now: turn.now)
        }
        let key = try drawKey("powerauth.server-key")
        let activation = Activation(
            id: services.entropy.uuid(for: "powerauth.activation"), application: new.application,
            user: new.user, state: .created, flags: new.flags.unique,
            code: new.hasCode ? try drawCode(for: new.application, in: turn) : nil, expiresAt: expiresAt,
            commitPhase: new.commitPhase, otp: new.otp.map(salted), otpFailures: 0, failedAttempts: 0,
            maxFailedAttempts: new.maxFailedAttempts ?? settings.maxFailedAttempts,
            serverKey: Base64Bytes(try key.ecSecret()), serverPoint: try key.publicKey.x962(), counter: 0,
            createdAt: turn.now, lastUsedAt: turn.now, changedAt: turn.now)
        try turn.db.insert(activation)
        try turn.remember(activation)
        turn.news.append(.activation(activation))
        return activation
    }

    func salted(_ otp: String) -> SaltedDigest {
        SaltedDigest(of: otp, salt: services.entropy.bytes(16, "powerauth.otp-salt"))
    }

    /// A code may come again once the activation that had it is past its beginning.
    private func drawCode(for application: String, in turn: Turn) throws -> String {
        while true {
            let code = try ActivationCode(random: services.entropy.bytes(10, "powerauth.code")).text
            let others = try Activation.all(withCode: code, in: application, turn.db)
            if !others.contains(where: { $0.state(at: turn.now) == .created }) { return code }
        }
    }

    /// A key pair. All but one of four thousand million numbers of 32 bytes are a key of P-256.
    func drawKey(_ purpose: String) throws -> PrivateKey {
        while true {
            let scalar = services.entropy.bytes(32, purpose)
            // What is no number below the order of the curve is drawn again.
            if let key = try? PrivateKey(scalar: scalar) { return key }
        }
    }

    /// The activation as of this moment; one that ran out of time is stored as removed, with history and news.
    func activation(_ id: String, in turn: inout Turn) throws -> Activation? {
        guard let activation = try Activation.find(id, in: turn.db) else { return nil }
        return try current(activation, in: &turn)
    }

    /// Those of a user, newest first, likewise.
    func activations(of user: String, in turn: inout Turn) throws -> [Activation] {
        var current: [Activation] = []
        for activation in try Activation.all(of: user, in: turn.db) {
            current.append(try self.current(activation, in: &turn))
        }
        return current
    }

    /// What time has made of it, stored.
    private func current(_ activation: Activation, in turn: inout Turn) throws -> Activation {
        guard activation.state != .removed, activation.state(at: turn.now) == .removed else {
            return activation
        }
        return try end(activation, reason: "EXPIRED", in: &turn)
    }

    /// Trades keys: CREATED becomes PENDING_COMMIT or ACTIVE by commit phase and OTP. CTR_DATA is drawn, the master secret computed.
    ///
    /// - Returns: a refusal to throw. The turn keeps that a wrong OTP is counted and that a point that is none ends a registration;
    ///   an activation that the device itself asked for goes with the refusal.
    func exchangeKeys(
        _ exchange: KeyExchange, with activation: Activation, in turn: inout Turn
    ) throws -> Result<Activation, ActivationRefusal> {
        if let refusal = try refusal(of: activation, unless: .created, in: &turn) { return .failure(refusal) }
        var activation = activation
        if let refusal = try check(exchange.otp, of: &activation, in: .onKeyExchange, &turn) {
            return .failure(refusal)
        }
        let device: CurvePoint
        do {
            device = try CurvePoint(exchange.devicePoint, of: "devicePublicKey")
        } catch let fault as ProtocolFault {
            if activation.code != nil {
                _ = try end(activation, reason: "INVALID_DEVICE_KEY", in: &turn)
                try turn.keep()
            }
            return .failure(.devicePointInvalid(fault))
        }
        let server = SecretScalar(activation.serverKey.bytes)
        activation.devicePoint = Base64Bytes(device.x962)
        activation.masterSecret = try MasterSecret(own: server, peer: device).key.bytes
        activation.counterData = Base64Bytes(services.entropy.bytes(16, "powerauth.counter"))
        activation.counter = 0
        (activation.name, activation.platform) = (exchange.name, exchange.platform)
        (activation.deviceInfo, activation.extras) = (exchange.deviceInfo, exchange.extras)
        activation.externalID = exchange.externalID
        activation.lastUsedAt = turn.now
        let isCommitted = activation.commitPhase == .onKeyExchange
        activation = try move(activation, to: isCommitted ? .active : .pendingCommit, in: &turn)
        if isCommitted { try activationWasCommitted(activation, in: &turn) }
        return .success(activation)
    }

    /// PENDING_COMMIT becomes ACTIVE.
    ///
    /// - Parameter activation: as stored, so that one that ran out of time can be told from one that was removed.
    /// - Returns: a refusal to throw; the turn keeps that a wrong OTP is counted.
    func commit(
        _ activation: Activation, otp: String?, by externalUser: String?, in turn: inout Turn
    ) throws -> Result<Activation, ActivationRefusal> {
        if let refusal = try refusal(of: activation, unless: .pendingCommit, in: &turn) {
            return .failure(refusal)
        }
        var activation = activation
        if let refusal = try check(otp, of: &activation, in: .onCommit, &turn) { return .failure(refusal) }
        activation.failedAttempts = 0
        activation = try move(activation, to: .active, by: externalUser, in: &turn)
        try activationWasCommitted(activation, in: &turn)
        return .success(activation)
    }

    /// Why it cannot go on from `wanted`; one that ran out of time is ended.
    private func refusal(
        of activation: Activation, unless wanted: Activation.State, in turn: inout Turn
    ) throws -> ActivationRefusal? {
        let now = try current(activation, in: &turn)
        if now.state != activation.state {
            try turn.keep()
            return .expired(now.id, at: now.expiresAt)
        }
        return now.state == wanted ? nil : .wrongState(now.state, wanted: wanted.rawValue)
    }

    /// The activation OTP in one phase: a wrong one costs an attempt, the last attempt the activation; a missing one costs nothing.
    private func check(
        _ otp: String?, of activation: inout Activation, in phase: Activation.CommitPhase,
        _ turn: inout Turn
    ) throws -> ActivationRefusal? {
        // One that nobody asked for is not looked at.
        guard let stored = activation.otp else { return nil }
        guard activation.commitPhase == phase else { return otp.map { _ in .otpInWrongPhase } }
        guard let otp else { return .otpMissing }
        if stored.matches(otp) {
            (activation.otpFailures, activation.failedAttempts) = (0, 0)
            return nil
        }
        activation.otpFailures += 1
        let left = max(0, try settings(in: turn.db).maxOTPAttempts - activation.otpFailures)
        if left == 0 {
            _ = try end(activation, reason: "MAX_OTP_ATTEMPTS", in: &turn)
        } else {
            try turn.db.update(activation)
            turn.news.append(.activation(activation))
        }
        try turn.keep()
        return .otpWrong(attemptsLeft: left)
    }
}

extension [String] {
    /// Each once, where it stood first.
    var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

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
    /// KEY_DEVICE: a point in its compressed or uncompressed form.
    let devicePoint: [UInt8]
    var name: String?
    var platform: String?
    var deviceInfo: String?
    var extras: String?
    var otp: String?
    var externalID: String?
}
