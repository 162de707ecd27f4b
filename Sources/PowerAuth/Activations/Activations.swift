import Crypto
import Essentials
import PlatformKit
import SQLite

/// The life of an activation: every change of state goes through here, is written to its history, and is told.
///
/// Source: published behaviour of the PowerAuth Server, activation states.
struct Activations: Sendable {
    static let blockedWithoutReason = "NOT_SPECIFIED"

    let world: World

    init(_ world: World) { self.world = world }

    private var entropy: Entropy { world.services.entropy }

    /// Registers: state CREATED, a code that no unused activation of the application has, a key pair of its own.
    ///
    /// - Throws: ``ActivationRefusal``, as all that follow: for an application that is not there or has no supported version, and
    ///   for an end that is not in the future.
    func create(_ new: NewActivation, in turn: Turn) throws -> Activation {
        guard try Application.find(new.application, in: turn.db) != nil else {
            throw ActivationRefusal.applicationUnknown(new.application)
        }
        guard try ApplicationVersion.all(of: new.application, in: turn.db).contains(where: \.isSupported)
        else { throw ActivationRefusal.versionMissing(application: new.application) }
        let settings = try world.settings(in: turn.db)
        let expiresAt = new.expiresAt ?? turn.now + Double(settings.activationSeconds)
        guard expiresAt > turn.now else {
            throw ActivationRefusal.expiryInPast(expiresAt, now: turn.now)
        }
        let key = try entropy.privateKey("powerauth.server-key")
        let activation = Activation(
            id: entropy.uuid(for: "powerauth.activation"), application: new.application,
            user: new.user, state: .created, flags: new.flags.unique,
            code: new.hasCode ? try drawCode(for: new.application, in: turn) : nil, expiresAt: expiresAt,
            commitPhase: new.commitPhase, otp: new.otp.map(salted), otpFailures: 0, failedAttempts: 0,
            maxFailedAttempts: new.maxFailedAttempts ?? settings.maxFailedAttempts,
            serverKey: Base64Bytes(try key.ecSecret()), serverPoint: try key.publicKey.x962(), counter: 0,
            createdAt: turn.now, lastUsedAt: turn.now, changedAt: turn.now)
        try turn.insert(activation)
        if let code = activation.code { turn.issued(code) }
        try tell(of: activation, in: turn)
        return activation
    }

    /// A code may come again once the activation that had it is past its beginning.
    private func drawCode(for application: String, in turn: Turn) throws -> String {
        while true {
            let code = try ActivationCode(random: entropy.bytes(10, "powerauth.code")).text
            let others = try Activation.all(withCode: code, in: application, turn.db)
            if !others.contains(where: { $0.state(at: turn.now) == .created }) { return code }
        }
    }

    func salted(_ otp: String) -> SaltedDigest {
        SaltedDigest(of: otp, salt: entropy.bytes(16, "powerauth.otp-salt"))
    }

    /// The activation as of this moment; one that ran out of time is stored as removed, with its history, and told.
    func find(_ id: String, in turn: Turn) throws -> Activation? {
        try Activation.find(id, in: turn.db).map { try current($0, in: turn) }
    }

    /// Signature of the activation code by the master key, DER in Base64; another one each time. Nil without a code. It is of P-256, by
    /// which every app verifies but those of an application that makes activations of protocol 4 alone.
    func codeSignature(of activation: Activation, in db: Connection) throws -> String? {
        guard let code = activation.code,
            let application = try Application.find(activation.application, in: db)
        else { return nil }
        let suites = try ApplicationSuites.find(application.id, in: db)
        let key =
            try suites.minimumProtocol > 3 ? world.masterKey(of: suites) : world.masterKey(of: application)
        return Base64.encode(try ActivationCode(code).signature(by: key))
    }

    /// The same key in PEM.
    func codeKey(_ application: Application, _ suites: ApplicationSuites) -> String {
        suites.minimumProtocol > 3 ? suites.masterKey : application.masterKey
    }

    /// What time has made of it, stored.
    func current(_ activation: Activation, in turn: Turn) throws -> Activation {
        guard activation.hasRunOut(at: turn.now) else { return activation }
        return try end(activation, reason: "EXPIRED", in: turn)
    }
}

// MARK: - Key exchange and commit

extension Activations {
    /// Trades keys: CREATED becomes PENDING_COMMIT or ACTIVE by commit phase and OTP. CTR_DATA is drawn, the master secret computed.
    ///
    /// - Throws: ``ActivationRefusal``. A wrong OTP stays counted, and a point that is none ends a registration for good; an activation
    ///   that the device itself asked for goes with the refusal.
    func exchangeKeys(
        _ exchange: KeyExchange, with registered: Activation, in turn: Turn
    ) throws -> Activation {
        try requireInTime(registered, .created, in: turn)
        try requireTaken(exchange, by: registered.application, in: turn)
        let checked = try checking(exchange.otp, of: registered, in: .onKeyExchange, turn)
        var activation = try agreeing(on: exchange.keys, with: checked, in: turn)
        activation.counter = 0
        (activation.name, activation.platform) = (exchange.name, exchange.platform)
        (activation.deviceInfo, activation.extras) = (exchange.deviceInfo, exchange.extras)
        activation.externalID = exchange.externalID
        activation.lastUsedAt = turn.now
        let isCommitted = activation.commitPhase == .onKeyExchange
        activation = try move(activation, to: isCommitted ? .active : .pendingCommit, in: turn)
        if isCommitted { try RecoveryCode.confirm(of: activation, in: turn) }
        return activation
    }

    /// A mistake of the app's configuration, which costs a registration nothing.
    private func requireTaken(_ exchange: KeyExchange, by application: String, in turn: Turn) throws {
        let suites = try ApplicationSuites.find(application, in: turn.db)
        switch exchange.keys {
        case .point where suites.minimumProtocol > 3:
            throw ActivationRefusal.protocolTooOld(minimum: suites.minimumProtocol)
        case .suite(.success(let agreement)) where !suites.takes(agreement.suite):
            throw ActivationRefusal.suiteUnsupported(agreement.suite, suites.algorithms)
        case .point, .suite: break
        }
    }

    /// With the keys of both sides and a new CTR_DATA.
    private func agreeing(
        on keys: KeyExchange.Keys, with checked: Activation, in turn: Turn
    ) throws -> Activation {
        var activation = checked
        do {
            switch keys {
            case .point(let bytes):
                let device = try CurvePoint(bytes, of: "devicePublicKey")
                let server = SecretScalar(activation.serverKey.bytes)
                activation.devicePoint = Base64Bytes(device.x962)
                activation.masterSecret = try MasterSecret(own: server, peer: device).key.bytes
                activation.counterData = Base64Bytes(entropy.bytes(16, "powerauth.counter"))
            case .suite(let agreement):
                let agreement = try agreement.get()
                try turn.insert(agreement.secrets(of: activation.id))
                if try agreement.hasShortCoordinate() {
                    turn.note(
                        "protocol 4.0", about: activation.user,
                        "An x coordinate of the keys begins with a zero byte, which the fingerprint leaves out as in 3.x: an app that keeps it "
                            + "shows another fingerprint.")
                }
                activation.counterData = Base64Bytes(entropy.bytes(V4.keyCount, "powerauth.counter"))
            }
            return activation
        } catch let fault as ProtocolFault {
            let refusal = ActivationRefusal.devicePointInvalid(fault)
            guard activation.code != nil else { throw refusal }
            throw turn.kept(refusal) { _ = try end(activation, reason: "INVALID_DEVICE_KEY", in: $0) }
        }
    }

    /// PENDING_COMMIT becomes ACTIVE. A wrong OTP stays counted.
    ///
    /// - Parameter stored: so that one that ran out of time can be told from one that was removed.
    func commit(
        _ stored: Activation, otp: String?, by externalUser: String?, in turn: Turn
    ) throws -> Activation {
        try requireInTime(stored, .pendingCommit, in: turn)
        var activation = try checking(otp, of: stored, in: .onCommit, turn)
        activation.failedAttempts = 0
        activation = try move(activation, to: .active, by: externalUser, in: turn)
        try RecoveryCode.confirm(of: activation, in: turn)
        return activation
    }

    /// One that ran out of time is ended, and said to be late.
    private func requireInTime(
        _ stored: Activation, _ wanted: Activation.State, in turn: Turn
    ) throws {
        if stored.hasRunOut(at: turn.now) {
            throw ended(stored, .expired(stored.id, at: stored.expiresAt), in: turn)
        }
        guard stored.state == wanted else {
            throw ActivationRefusal.wrongState(stored.state, wanted: wanted.rawValue)
        }
    }

    /// The activation OTP in one phase: a wrong one costs an attempt, the last attempt the activation; a missing one costs nothing.
    ///
    /// - Returns: the activation with all its attempts when the OTP is right.
    private func checking(
        _ otp: String?, of activation: Activation, in phase: Activation.CommitPhase, _ turn: Turn
    ) throws -> Activation {
        // One that nobody asked for is not looked at.
        guard let kept = activation.otp else { return activation }
        guard activation.commitPhase == phase else {
            if otp != nil { throw ActivationRefusal.otpInWrongPhase }
            return activation
        }
        guard let otp else { throw ActivationRefusal.otpMissing }
        var checked = activation
        if kept.matches(otp) {
            (checked.otpFailures, checked.failedAttempts) = (0, 0)
            return checked
        }
        checked.otpFailures.increment()
        let left = max(0, try world.settings(in: turn.db).maxOTPAttempts - checked.otpFailures)
        throw turn.kept(ActivationRefusal.otpWrong(attemptsLeft: left)) { [checked] turn in
            if left == 0 {
                _ = try end(checked, reason: "MAX_OTP_ATTEMPTS", in: turn)
            } else {
                try turn.update(checked, .otpFailures)
                try Announcements(world).tell(of: checked, in: turn)
            }
        }
    }
}

extension Entropy {
    /// A key pair. All but one of four thousand million numbers of 32 bytes are a key of P-256.
    func privateKey(_ purpose: String) throws -> PrivateKey {
        while true {
            let scalar = bytes(32, purpose)
            // What is no number below the order of the curve is drawn again.
            if let key = try? PrivateKey(scalar: scalar) { return key }
        }
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
    /// What the device brings to agree on a secret.
    enum Keys: Sendable {
        /// KEY_DEVICE of 3.x: a point in its compressed or uncompressed form.
        case point([UInt8])
        /// Of 4.0.
        case suite(Result<SuiteAgreement, ProtocolFault>)
    }

    let keys: Keys
    var name: String?
    var platform: String?
    var deviceInfo: String?
    var extras: String?
    var otp: String?
    var externalID: String?
}
