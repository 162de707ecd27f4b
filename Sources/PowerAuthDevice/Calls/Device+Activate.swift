import Crypto
import DeviceKit
import Essentials

extension Device {
    /// `/pa/v3/activation/create`: exchanges keys and keeps the activation, in whatever state the server puts it.
    ///
    /// - Parameters:
    ///   - pin: locks the knowledge key.
    ///   - biometry: whether the biometry key is kept as well.
    /// - Throws: ``ServerRefusal``; ``DeviceError`` when the answer does not hold. The device is unchanged then.
    @discardableResult
    package func activate(
        _ request: ActivationRequest, pin: String, biometry: Bool = true
    ) throws -> ActivationResult {
        let key = try CurveKey.generate(draw)
        let point = try faults.deviceKey ?? key.publicKey.x962(compressed: style.compressesPoints)
        let inner = try seal(style.json(request.keyExchange(point: point, style: style)), .keyExchange)
        var members: [String: JSONValue] = [
            "type": .string(request.type), "identityAttributes": request.identityAttributes,
            "activationData": inner.request.json,
        ]
        members["customAttributes"] = request.customAttributes
        let outer = try JSONValue(
            parsing: encryptedCall("/pa/v3/activation/create", style.json(.object(members)), .application))
        let answer = try JSONValue(parsing: inner.open(outer["activationData"]))
        let kept = try makeActivation(answer, key: key, pin: pin, biometry: biometry)
        forget()
        activation = kept
        return ActivationResult(
            activationID: kept.id, fingerprint: kept.fingerprint,
            recovery: try Self.recovery(answer["activationRecovery"]),
            userInfo: outer["userInfo"].flatMap { $0.isNull ? nil : $0 },
            customAttributes: outer["customAttributes"].flatMap { $0.isNull ? nil : $0 })
    }

    private func makeActivation(
        _ answer: JSONValue, key: PrivateKey, pin: String, biometry: Bool
    ) throws -> Activation {
        let id = try answer.text("activationId")
        guard !id.isEmpty else { throw DeviceError("the id of the activation is empty") }
        let serverKey = try PublicKey(x962: Wire.bytes(answer["serverPublicKey"]?.string, "serverPublicKey"))
        let counter = try Wire.bytes(answer["ctrData"]?.string, "ctrData", count: 16)
        let master = try KeyArithmetic.masterSecret(key, serverKey)
        let vaultKey = try KeyArithmetic.derive(master, Vault.index)
        return Activation(
            id: id,
            fingerprint: try Fingerprint.text(device: key.publicKey, activationID: id, server: serverKey),
            serverKey: try serverKey.x962(compressed: false),
            deviceKey: try key.publicKey.x962(compressed: false),
            sealedDeviceKey: try Vault.seal(key, with: vaultKey),
            transportKey: try KeyArithmetic.derive(master, 1000),
            possessionKey: try KeyArithmetic.derive(master, 1),
            knowledgeKey: try LockedKey(KeyArithmetic.derive(master, 2), pin: pin, salt: draw(16)),
            biometryKey: biometry ? try KeyArithmetic.derive(master, 3) : nil, counter: HashCounter(counter))
    }

    private static func recovery(_ value: JSONValue?) throws -> RecoveryCode? {
        guard let value, !value.isNull else { return nil }
        return RecoveryCode(code: try value.text("recoveryCode"), puk: try value.text("puk"))
    }
}
