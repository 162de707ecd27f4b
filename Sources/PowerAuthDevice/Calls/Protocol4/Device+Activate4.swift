import Crypto
import DeviceKit
import Essentials
import PostQuantum

// An activation of protocol 4.0. Source: PowerAuth documentation 2.x, “Activation”, “Activation confirmation”.
extension Device {
    func activate4(
        _ request: ActivationRequest, _ algorithm: Protocol4.Algorithm, pin: String, biometry: Bool
    ) throws -> ActivationResult {
        if case .recovery = request.identity { throw DeviceError("protocol 4.0 has no recovery codes") }
        // Refused before anything is exchanged.
        _ = try (configuration.masterKeys(of: algorithm), Protocol4.pinKey(pin, salt: []))
        let exchange = try Protocol4.SecretExchange(algorithm, drawing: draw)
        let device = try DeviceKeys(algorithm, drawing: draw)
        var members = request.keyExchange(style)
        members["sharedSecretRequest"] = try exchange.request()
        members["devicePublicKeys"] = try sentKeys(device)
        let (answer, outer) = try exchangeKeys(.object(members), request)
        let id = try answer.text("activationId")
        guard !id.isEmpty else { throw DeviceError("the id of the activation is empty") }
        let kept = try makeActivation4(
            answer, id: id, algorithm, secret: exchange.secret(answer["sharedSecretResponse"]), device,
            pin: pin, biometry: biometry)
        activation = kept
        return try result(kept, answer, outer)
    }

    /// `devicePublicKeys`
    func sentKeys(_ device: DeviceKeys) throws -> JSONValue {
        let own = try device.signing()
        let point = try faults.deviceKey ?? device.point.publicKey.x962(compressed: style.compressesPoints)
        var keys: [String: JSONValue] = ["ecdsa": .string(Base64.encode(point))]
        keys["mldsa"] = own.second.map { .string(Base64.encode($0)) }
        return .object(keys)
    }

    /// - Parameter answer: `serverPublicKeys` and `ctrData`.
    func makeActivation4(
        _ answer: JSONValue, id: String, _ algorithm: Protocol4.Algorithm, secret: [UInt8],
        _ device: DeviceKeys, pin: String, biometry: Bool
    ) throws -> Activation {
        let told = answer["serverPublicKeys"]
        let server = FourthKeys.Signing(
            point: try Wire.bytes(told?["ecdsa"]?.string, "serverPublicKeys.ecdsa"),
            second: try algorithm.signature.map { _ in
                try Wire.bytes(told?["mldsa"]?.string, "serverPublicKeys.mldsa")
            })
        let keys = try Protocol4.keys(server.point, server.second, algorithm)
        let counter = try Wire.bytes(answer["ctrData"]?.string, "ctrData", count: 32)
        func key(_ key: Protocol4.SecretKeys) throws -> [UInt8] { try key.derived(from: secret) }
        return Activation(
            id: id,
            fingerprint: try Protocol4.fingerprint(
                algorithm,
                device: (
                    device.point.publicKey, device.second?.verificationKey.subjectPublicKeyInfo ?? []
                ),
                activationID: id, server: (keys.point, server.second ?? [])),
            possessionKey: try key(.possession),
            knowledgeKey: try LockedKey(key(.knowledge), pin: pin, salt: draw(32), iv: draw(16)),
            biometryKey: biometry ? try key(.biometry) : nil,
            counter: HashCounter(counter),
            fourth: try FourthKeys(algorithm, secret: secret, server: server, device: device, iv: draw(16)),
            pending: .confirmation)
    }

    /// `activation/confirm`: the person has chosen the PIN. Before that the server takes no code of biometry.
    ///
    /// It may come before the commit and after it; of an activation of protocol 3.x there is nothing to confirm.
    package func confirmActivation(pin: String) throws {
        let activation = try requireActivation()
        guard activation.pending == .confirmation else { return }
        try signedCall(
            "/pa/v4/activation/confirm", ["enableBiometry": .boolean(activation.biometryKey != nil)],
            uriID: "/pa/activation/confirm", with: .pin(pin))
        self.activation?.pending = nil
    }
}
