import Crypto
import DeviceKit
import Essentials

extension Device {
    /// `activation/create`: exchanges keys and keeps the activation, in whatever state the server puts it.
    ///
    /// - Parameters:
    ///   - pin: locks the knowledge key.
    ///   - biometry: whether the biometry key is kept as well.
    /// - Throws: ``ServerRefusal``; ``DeviceError`` when the answer does not hold. The device is unchanged then.
    /// - Note: an activation of protocol 4.0 is to be confirmed, see ``confirmActivation(pin:)``.
    @discardableResult
    package func activate(
        _ request: ActivationRequest, pin: String, biometry: Bool = true
    ) throws -> ActivationResult {
        // Whatever activation there was, the new one is of the app's protocol.
        let former = (activation, tokens, temporaryKeys)
        forget()
        do {
            guard let algorithm else { return try activate3(request, pin: pin, biometry: biometry) }
            return try activate4(request, algorithm, pin: pin, biometry: biometry)
        } catch {
            (activation, tokens, temporaryKeys) = former
            throw error
        }
    }

    private func activate3(
        _ request: ActivationRequest, pin: String, biometry: Bool
    ) throws -> ActivationResult {
        let key = try CurveKey.generate(draw)
        let point = try faults.deviceKey ?? key.publicKey.x962(compressed: style.compressesPoints)
        let members = request.keyExchange(style).merging(["devicePublicKey": .string(Base64.encode(point))]) {
            $1
        }
        let (answer, outer) = try exchangeKeys(.object(members), request)
        let kept = try makeActivation(answer, key: key, pin: pin, biometry: biometry)
        activation = kept
        return try result(kept, answer, outer)
    }

    /// `activation/create`: what is for the server alone stands in a second layer of encryption.
    ///
    /// - Returns: the inner layer of the answer, and the outer.
    func exchangeKeys(
        _ inside: JSONValue, _ request: ActivationRequest
    ) throws -> (inner: JSONValue, outer: JSONValue) {
        let inner = try seal(changed(style.json(inside), .keyExchange), .keyExchange)
        var members: [String: JSONValue] = [
            "type": .string(request.type), "identityAttributes": request.identityAttributes,
            "activationData": inner.request,
        ]
        members["customAttributes"] = request.customAttributes
        let outer = try JSONValue(
            parsing: encryptedCall(root + "activation/create", style.json(.object(members)), .application))
        return (try JSONValue(parsing: inner.open(outer["activationData"])), outer)
    }

    func result(
        _ kept: Activation, _ answer: JSONValue, _ outer: JSONValue
    ) throws -> ActivationResult {
        ActivationResult(
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
            possessionKey: try KeyArithmetic.derive(master, 1),
            knowledgeKey: try LockedKey(KeyArithmetic.derive(master, 2), pin: pin, salt: draw(16)),
            biometryKey: biometry ? try KeyArithmetic.derive(master, 3) : nil, counter: HashCounter(counter),
            third: Activation.ThirdKeys(
                serverKey: try serverKey.x962(compressed: false),
                deviceKey: try key.publicKey.x962(compressed: false),
                sealedDeviceKey: try Vault.seal(key, with: vaultKey),
                transportKey: try KeyArithmetic.derive(master, 1000)))
    }

    private static func recovery(_ value: JSONValue?) throws -> RecoveryCode? {
        guard let value, !value.isNull else { return nil }
        return RecoveryCode(code: try value.text("recoveryCode"), puk: try value.text("puk"))
    }
}
