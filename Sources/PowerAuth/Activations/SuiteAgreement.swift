import Crypto
import Essentials
import PlatformKit
import PostQuantum

/// What a device offers in the key exchange of protocol 4.0, and what the server answers with.
struct SuiteAgreement: Sendable {
    let shared: V4.SharedSecret
    private let device: V4.SigningKeys
    private let serverKey: PrivateKey
    private let serverSeed: [UInt8]?

    /// - Parameter members: `sharedSecretRequest` and `devicePublicKeys`, beside others.
    /// - Throws: ``ProtocolFault`` for what is missing, malformed, or of another suite.
    init(_ members: [String: JSONValue], drawing entropy: Entropy) throws {
        guard let wish = members["sharedSecretRequest"] else {
            throw Self.fault("sharedSecretRequest", "an object", "nothing")
        }
        let request = try V4.SharedSecretRequest(wish)
        device = try Self.device(members["devicePublicKeys"], request.suite)
        shared = try V4.SharedSecret.answer(
            request, drawing: entropy.sharedSecretDraw("powerauth.activation"))
        serverKey = try entropy.privateKey(.p384, "powerauth.server-key-p384")
        serverSeed = request.suite.signature.map { _ in
            entropy.bytes(MLDSA.seedCount, "powerauth.server-seed")
        }
    }

    var suite: V4.Suite { shared.suite }

    /// Whether the fingerprint leaves a zero byte out, as in 3.x, which no vector of the release shows.
    func hasShortCoordinate() throws -> Bool {
        try [device.point, CurvePoint(serverKey.publicKey)].contains { $0.x962[1] == 0 }
    }

    private static func device(_ json: JSONValue?, _ suite: V4.Suite) throws -> V4.SigningKeys {
        guard let text = json?["ecdsa"]?.string else {
            throw fault("devicePublicKeys.ecdsa", "a text", "nothing or another type")
        }
        let point = try V4.publicPoint(
            decodeBase64(text, part: "devicePublicKeys.ecdsa"), of: "devicePublicKeys.ecdsa")
        guard let set = suite.signature else { return V4.SigningKeys(point: point, second: nil) }
        guard let text = json?["mldsa"]?.string else {
            throw fault("devicePublicKeys.mldsa", "a public key of \(set.rawValue)", "nothing")
        }
        let info = try decodeBase64(text, part: "devicePublicKeys.mldsa")
        do {
            _ = try MLDSA.VerificationKey(set, subjectPublicKeyInfo: info)
        } catch let error as PostQuantumError {
            throw fault("devicePublicKeys.mldsa", "a public key of \(set.rawValue)", error.description)
        }
        return V4.SigningKeys(point: point, second: info)
    }

    private static func fault(_ part: String, _ expected: String, _ got: String) -> ProtocolFault {
        .malformed(part: part, expected: expected, got: got)
    }

    /// What is kept of it, not confirmed yet.
    func secrets(of activation: String) throws -> ActivationSecrets {
        let keys = V4.ActivationKeys(secret: shared.bytes)
        return ActivationSecrets(
            activation: activation, suite: suite, secret: Base64Bytes(shared.bytes),
            deviceKey: Base64Bytes(device.point.x962), deviceSecondKey: device.second.map(Base64Bytes.init),
            serverKey: Base64Bytes(try serverKey.ecSecret()),
            serverSeed: serverSeed.map(Base64Bytes.init),
            knowledgeKey: Base64Bytes(try keys.factor(.knowledge)))
    }

    /// The members of the answer to the device of an activation.
    func answer(of activation: Activation) throws -> JSONValue {
        var members = try answer()
        members["activationId"] = .string(activation.id)
        members["ctrData"] = .string(Base64.encode(activation.counterData?.bytes ?? []))
        return .object(members)
    }

    /// The members of the answer that are not the activation's own.
    func answer() throws -> [String: JSONValue] {
        var keys: [String: JSONValue] = ["ecdsa": .string(Base64.encode(try serverKey.publicKey.x962()))]
        if let set = suite.signature, let serverSeed {
            let key = try MLDSA.SigningKey(set, seed: serverSeed).verificationKey
            keys["mldsa"] = .string(Base64.encode(key.subjectPublicKeyInfo))
        }
        return ["sharedSecretResponse": shared.json, "serverPublicKeys": .object(keys)]
    }
}
