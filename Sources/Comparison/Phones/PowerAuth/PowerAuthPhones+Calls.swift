import DeviceKit
import PowerAuthDevice

/// Requests whose content is encrypted: what is in them follows from their route, and from what back ends heard.
extension PowerAuthPhones {
    static let pin = "97531"
    static let wrongPIN = "13579"
    private static let refused = "it was refused there, and what it said is encrypted"

    /// `activation/create`.
    func activate(_ fields: ProofFields, _ temporaryKey: String?, _ scene: Scene) throws -> PhonePlay {
        guard let application = fields["application_key"] else {
            throw PhoneObstacle("its header field does not say which app sends it")
        }
        guard let birth = plan.births[scene.exchange.number] else {
            throw PhoneObstacle("the exchange of keys was refused there, and what it said is encrypted")
        }
        let order = try activationRequest(birth, scene)
        let suite = try suite(fields, temporaryKey, or: birth.suite)
        let device = try freshDevice(application, fields["version"], suite, scene)
        device.style.compressesPoints = PowerAuthOrder.compressesPoints(scene.exchange.request)
        var play = try asking(device) { _ = try $0.activate(order, pin: Self.pin) }
        guard let activation = device.activation else { return play }
        keep(device, of: birth.activation, application)
        if let id = birth.activation { play.made = [(id, activation.id)] }
        return play
    }

    private func activationRequest(_ birth: PowerAuthPlan.Birth, _ scene: Scene) throws -> ActivationRequest {
        let identity: ActivationRequest.Identity
        if let code = birth.code {
            identity = .code(try ActivationCode(parsing: scene.ours(code)).text)
        } else if let user = birth.user {
            identity = .custom(["userId": scene.ours(user)])
        } else {
            throw PhoneObstacle(
                "whose activation it begins is encrypted, and nothing else in the recording tells it")
        }
        return ActivationRequest(
            identity, name: birth.name, otp: birth.otp, platform: birth.platform,
            deviceInfo: birth.deviceInfo)
    }

    /// One that an app encrypts before it has an activation.
    func callEmpty(_ fields: ProofFields, _ temporaryKey: String?, _ scene: Scene) throws -> PhonePlay {
        guard let application = fields["application_key"] else {
            throw PhoneObstacle("its header field does not say which app sends it")
        }
        guard !scene.isRefused else { throw PhoneObstacle(Self.refused) }
        let device = try freshDevice(application, fields["version"], suite(fields, temporaryKey), scene)
        return try asking(device) { _ = try $0.encryptedCall(scene.path, [], .application) }
    }

    /// An encrypted request of an activation.
    func call(
        _ call: PowerAuthOrder.Call, _ fields: ProofFields, _ token: ProofFields?, _ scene: Scene
    ) throws -> PhonePlay {
        guard let id = fields["pa_activation_id"] ?? fields["activation_id"] else {
            throw PhoneObstacle("its header field does not say which activation it is for")
        }
        let device = try device(id, fields["pa_version"] ?? fields["version"])
        // A proof that was wrong can be made again, other mistakes cannot be seen.
        guard !scene.isRefused || scene.isUnauthorized && call.isProven else {
            throw PhoneObstacle(Self.refused)
        }
        switch call {
        case .status, .configuration:
            return try asking(device) { _ = try $0.encryptedCall(scene.path, [], .activation) }
        case .password, .biometry, .upgrade: return try exchange(call, device, fields, scene)
        case .userInfo: return try asking(device) { _ = try $0.userInfo() }
        case .upgradeStart: return try asking(device) { _ = try $0.startUpgrade() }
        case .detail:
            guard let token else { throw PhoneObstacle("it has no token") }
            let name = try self.token(token).name
            return try proving(device, name, isWrong: scene.isUnauthorized) {
                try asking(device) { _ = try $0.activationName(token: name) }
            }
        case .vault:
            let reason = Device.VaultReason.fetchEncryptionKey.rawValue
            return try signing(device, fields.factors ?? "", isWrong: scene.isUnauthorized) { credential in
                try asking(device) { _ = try $0.unlockVault(reason: reason, with: credential) }
            }
        case .rename:
            let name = plan.name(of: id, after: scene.exchange.number) ?? "Renamed phone"
            return try signing(device, fields.factors ?? "", isWrong: scene.isUnauthorized) { credential in
                try asking(device) { _ = try $0.renameActivation(name, with: credential) }
            }
        case .token: return try makeToken(device, fields, scene)
        }
    }

    /// An exchange of keys with the code of a PIN. The PIN stays the same here: which one it is, the server does not learn.
    private func exchange(
        _ call: PowerAuthOrder.Call, _ device: Device, _ fields: ProofFields, _ scene: Scene
    ) throws -> PhonePlay {
        guard fields.factors == Credential.pin(Self.pin).factors else {
            throw PhoneObstacle("no phone exchanges keys with the factors “\(fields.factors ?? "")” here")
        }
        let pin = scene.isUnauthorized ? Self.wrongPIN : Self.pin
        switch call {
        case .biometry: return try asking(device) { try $0.exchangeBiometry(pin: pin) }
        case .upgrade(let key):
            let suite = key.flatMap { plan.suites[$0] }.flatMap { Protocol4.Algorithm(rawValue: $0) }
            device.algorithm = suite ?? .hybrid3
            return try asking(device) { try $0.startUpgradeToProtocol4(pin: pin) }
        default: return try asking(device) { try $0.exchangeKnowledge(from: pin, to: Self.pin) }
        }
    }

    private func makeToken(_ device: Device, _ fields: ProofFields, _ scene: Scene) throws -> PhonePlay {
        let number = scene.exchange.number
        var play = try signing(device, fields.factors ?? "", isWrong: scene.isUnauthorized) { credential in
            try asking(device) { _ = try $0.createToken("\(number)", with: credential) }
        }
        if let ours = device.tokens["\(number)"] {
            play.made = plan.tokens.filter { $0.value == number }.map { ($0.key, ours.id) }
        }
        return play
    }

    /// With the factors of the recorded code; a wrong one has another PIN, or without a PIN a bit turned.
    func signing<Value>(
        _ device: Device, _ factors: String, isWrong: Bool, _ work: (Credential) throws -> Value
    ) throws -> Value {
        let pin = isWrong ? Self.wrongPIN : Self.pin
        let credentials: [Credential] = [
            .possession, .pin(pin), .biometry, .pinAndBiometry(pin), .pinAlone(pin), .biometryAlone,
        ]
        guard let credential = credentials.first(where: { $0.factors == factors }) else {
            throw PhoneObstacle("no phone signs with the factors “\(factors)” here")
        }
        device.faults.breaksSignature = isWrong && !factors.contains("knowledge")
        defer { device.faults.breaksSignature = false }
        return try work(credential)
    }

    /// With another secret where the recorded proof was wrong.
    func proving<Value>(
        _ device: Device, _ token: String, isWrong: Bool, _ work: () throws -> Value
    ) rethrows -> Value {
        let kept = device.tokens[token]
        defer { device.tokens[token] = kept }
        if isWrong, let byte = kept?.secret.first { device.tokens[token]?.secret[0] = byte ^ 1 }
        return try work()
    }

    /// The token of a header field, and the phone that has it.
    func token(_ fields: ProofFields) throws -> (device: Device, name: String) {
        guard let number = fields["token_id"].flatMap({ plan.tokens[$0] }), let id = plan.makers[number],
            case let device = try device(id, fields["version"]), device.tokens["\(number)"] != nil
        else { throw PhoneObstacle("it has a token of PowerAuth whose beginning is not in the recording") }
        return (device, "\(number)")
    }
}
