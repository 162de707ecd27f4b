import Crypto
import DeviceKit
import Essentials
import HTTP
import PlatformKit
import PostQuantum
import SQLite
import TestKit
import Testing

@testable import PowerAuth
@testable import PowerAuthDevice

/// As much of an SDK 2.x as these tests need, by the device's arithmetic, which shares nothing with the server's.
final class Phone4 {
    let bench: MobileBench
    let algorithm: Protocol4.Algorithm
    let configuration: (key: String, secret: [UInt8])
    private(set) var id = ""
    private(set) var secret: [UInt8] = []
    private(set) var fingerprint = ""
    var counter: [UInt8] = []
    private var keys: [String: (id: String, secret: [UInt8])] = [:]
    private var serverKey: (point: PublicKey, second: MLDSA.VerificationKey?)?

    init(_ bench: MobileBench, _ algorithm: Protocol4.Algorithm = .p384, key: String = MobileBench.key) throws
    {
        (self.bench, self.algorithm) = (bench, algorithm)
        configuration = (key, try #require(Base64.decode(MobileBench.secret)))
    }

    private func draw(_ count: Int) -> [UInt8] { Entropy.system.bytes(count, "phone4") }

    func exchange(_ other: Protocol4.Algorithm? = nil) throws -> Protocol4.SecretExchange {
        let algorithm = other ?? algorithm
        return try Protocol4.SecretExchange(
            algorithm, point: PrivateKey.generate(.ec(.p384)),
            lattice: algorithm.exchange.map { try MLKEM.DecapsulationKey($0, seed: draw(64)) })
    }

    // MARK: Sending

    /// - Returns: the JSON of a success.
    /// - Throws: ``ServerRefusal``.
    @discardableResult
    func post(_ path: String, _ body: [UInt8], _ headers: [(String, String)] = []) throws -> JSONValue {
        let response = bench.send(DeviceRequest(path, headers: headers, body: body))
        guard response.status == 200 else { throw ServerRefusal(response) }
        return try JSONValue(parsing: response.body)
    }

    private func temporaryKey(_ isOfActivation: Bool) throws -> (id: String, secret: [UInt8]) {
        let scope = isOfActivation ? id : ""
        if let known = keys[scope] { return known }
        let exchange = try exchange()
        var claims: [String: JSONValue] = [
            "applicationKey": .string(configuration.key), "challenge": .string(Base64.encode(draw(32))),
            "sharedSecretRequest": try exchange.request(),
        ]
        if isOfActivation { claims["activationId"] = .string(id) }
        let key =
            isOfActivation
            ? try Protocol4.SecretKeys.temporaryKeyRequest.derived(from: secret)
            : try Protocol4.temporaryKeyRequestKey(applicationSecret: configuration.secret)
        let signed =
            Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8)) + "."
            + Base64URL.encode(JSONValue.object(claims).bytes)
        let code = Digest.sha256.authenticationCode(of: Array(signed.utf8), key: key)
        let request: JSONValue = ["requestObject": ["jwt": .string(signed + "." + Base64URL.encode(code))]]
        let answer = try post("/pa/v4/keystore/create", request.bytes)["responseObject"]?["jwt"]
        let jws = try answer?.string.map { try JSONValue(parsing: Array($0.utf8)) } ?? #require(answer)
        let server = isOfActivation ? try #require(serverKey) : try masterKeys()
        let told = try Protocol4.SignedAnswer.claims(jws, point: server.point, second: server.second)
        let made = (
            id: try #require(told["keyId"]?.string), secret: try exchange.secret(told["sharedSecretResponse"])
        )
        keys[scope] = made
        return made
    }

    /// As the configuration tells them.
    private func masterKeys() throws -> (point: PublicKey, second: MLDSA.VerificationKey?) {
        let suites = try bench.bench.world.database.read { try ApplicationSuites.find("bank", in: $0) }
        return (
            try bench.bench.world.masterKey(of: suites).publicKey,
            try algorithm.signature.map { try bench.bench.world.masterKey(of: suites, $0).verificationKey }
        )
    }

    private func message(_ purpose: String, isOfActivation: Bool) throws -> Protocol4.Message {
        let key = try temporaryKey(isOfActivation)
        return Protocol4.Message(
            purpose: purpose, temporaryKeyID: key.id, secret: key.secret, configuration: configuration,
            activation: isOfActivation
                ? (id, try Protocol4.SecretKeys.sharedInfo2.derived(from: secret)) : nil, nonce: draw(24))
    }

    func encryptionHeader(isOfActivation: Bool) -> (String, String) {
        let activation = isOfActivation ? #", activation_id="\#(id)""# : ""
        return (
            "X-PowerAuth-Encryption",
            #"PowerAuth version="4.0", application_key="\#(configuration.key)"\#(activation)"#
        )
    }

    var milliseconds: Int { Int((bench.bench.clock.now.timeIntervalSince1970 * 1000).rounded()) }

    /// An encrypted call of the activation; nothing is encrypted but what `plaintext` has.
    func encrypted(
        _ path: String, _ purpose: String = "/pa/generic/activation", _ plaintext: [UInt8] = [],
        _ headers: [(String, String)] = []
    ) throws -> JSONValue {
        let message = try message(purpose, isOfActivation: true)
        let body = try message.request(plaintext, milliseconds: milliseconds).bytes
        let answer = try post(path, body, [encryptionHeader(isOfActivation: true)] + headers)
        return try JSONValue(parsing: message.answer(answer))
    }

    /// The same with a code over what is sent.
    func encryptedAndCoded(
        _ path: String, _ purpose: String, _ object: JSONValue = [:], knowledge: [UInt8]? = nil
    ) throws -> JSONValue {
        let message = try message(purpose, isOfActivation: true)
        let body = try message.request(object.bytes, milliseconds: milliseconds).bytes
        let answer = try post(path, body, [code(purpose, body, knowledge: knowledge)])
        return try JSONValue(parsing: message.answer(answer))
    }

    // MARK: Codes

    var possession: [UInt8] { get throws { try Protocol4.SecretKeys.possession.derived(from: secret) } }
    var knowledge: [UInt8] { get throws { try Protocol4.SecretKeys.knowledge.derived(from: secret) } }

    func code(
        _ uriID: String, _ body: [UInt8] = [], type: String = "possession_knowledge",
        knowledge: [UInt8]? = nil, version: String = "4.0"
    ) throws -> (String, String) {
        let nonce = Base64.encode(draw(16))
        let parts = [
            "POST", Base64.encode(Array(uriID.utf8)), nonce, Base64.encode(body), MobileBench.secret,
        ]
        let second = try knowledge ?? self.knowledge
        let made = try Protocol4.components(
            [possession] + (type == "possession" ? [] : [second]), counter: counter,
            data: Array(parts.joined(separator: "&").utf8))
        counter = Protocol4.step(counter)
        return (
            "X-PowerAuth-Authorization",
            #"PowerAuth pa_version="\#(version)", pa_application_key="\#(configuration.key)", "#
                + #"pa_activation_id="\#(id)", pa_auth_code_type="\#(type)", pa_auth_code=""#
                + Base64.encode(Array(made.joined())) + #"", pa_nonce="\#(nonce)""#
        )
    }

    func validate(type: String = "possession_knowledge", knowledge: [UInt8]? = nil) throws {
        let header = try code("/pa/auth/validate", type: type, knowledge: knowledge)
        #expect(try post("/pa/v4/auth/validate", [], [header]) == ["status": "OK"])
    }

    // MARK: Activation

    func activate(_ code: String, _ more: [String: JSONValue] = [:]) throws {
        let (exchange, device) = (try exchange(), try PrivateKey.generate(.ec(.p384)))
        let second = try algorithm.signature.map { try MLDSA.SigningKey($0, seed: draw(32)).verificationKey }
        var own: [String: JSONValue] = ["ecdsa": .string(Base64.encode(try device.publicKey.x962()))]
        own["mldsa"] = second.map { .string(Base64.encode($0.subjectPublicKeyInfo)) }
        let inner: [String: JSONValue] = [
            "sharedSecretRequest": try exchange.request(), "devicePublicKeys": .object(own),
            "platform": "ios",
        ]
        let outside = try message("/pa/generic/application", isOfActivation: false)
        let inside = try message("/pa/activation", isOfActivation: false)
        let layers: JSONValue = [
            "type": "CODE", "identityAttributes": ["code": .string(code)],
            "activationData": try inside.request(
                JSONValue.object(inner.merging(more) { $1 }).bytes, milliseconds: milliseconds),
        ]
        let answer = try JSONValue(
            parsing: outside.answer(
                post(
                    "/pa/v4/activation/create",
                    outside.request(layers.bytes, milliseconds: milliseconds).bytes,
                    [encryptionHeader(isOfActivation: false)])))
        let told = try JSONValue(parsing: inside.answer(#require(answer["activationData"])))
        id = try #require(told["activationId"]?.string)
        secret = try exchange.secret(told["sharedSecretResponse"])
        counter = try #require(told["ctrData"]?.string.flatMap { Base64.decode($0) })
        let point = try PublicKey(
            .p384, x962: #require(told["serverPublicKeys"]?["ecdsa"]?.string.flatMap { Base64.decode($0) }))
        let info = told["serverPublicKeys"]?["mldsa"]?.string.flatMap { Base64.decode($0) }
        serverKey = (
            point,
            try algorithm.signature.map {
                try MLDSA.VerificationKey($0, subjectPublicKeyInfo: #require(info))
            }
        )
        fingerprint = try Protocol4.fingerprint(
            algorithm, device: (device.publicKey, second?.subjectPublicKeyInfo ?? []), activationID: id,
            server: (point, info ?? []))
    }

    func confirm(biometry: Bool = false) throws {
        let body = JSONValue.object(["requestObject": ["enableBiometry": .boolean(biometry)]]).bytes
        #expect(
            try post("/pa/v4/activation/confirm", body, [code("/pa/activation/confirm", body)])
                == ["status": "OK"])
    }

    func status(_ purpose: String = "/pa/generic/activation") throws -> Protocol4.Status {
        let told = try encrypted("/pa/v4/activation/status", purpose)
        let bytes = try #require(told["activationStatus"]?.string.flatMap { Base64.decode($0) })
        return try Protocol4.Status(bytes, secret: secret)
    }
}

extension MobileBench {
    /// A phone of ada's whose activation is active and confirmed.
    func activePhone4(_ algorithm: Protocol4.Algorithm = .p384) throws -> Phone4 {
        let phone = try Phone4(self, algorithm)
        try phone.activate(register(.onKeyExchange).code)
        try phone.confirm()
        return phone
    }
}
