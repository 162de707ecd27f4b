import Crypto
import DeviceKit
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import PowerAuth
@testable import PowerAuthDevice

/// Which factors and which suites the server takes of protocol 4.0, where, and when.
@Suite struct Mobile4FactorTests {
    private static let pin = Credential.pin(MobileBench.pin)
    private let bench: MobileBench

    init() throws { bench = try MobileBench() }

    private func expectUncoded(
        because reason: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) {
        bench.expectRefusal(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_CODE_INVALID", because: reason,
            sourceLocation: sourceLocation, body)
    }

    /// What a phone asks for with its code.
    private static let calls: [(path: String, uriID: String, types: Set<SignatureType>)] = [
        ("activation/confirm", "/pa/activation/confirm", [.possessionKnowledge]),
        ("activation/remove", "/pa/activation/remove", .twoFactorsOf4),
        ("activation/rename", "/pa/activation/rename", .twoFactorsOf4),
        ("vault/unlock", "/pa/vault/unlock", [.possessionKnowledge]),
        ("password/change", "/pa/password/change", [.possessionKnowledge]),
        ("biometry/add", "/pa/biometry/add", [.possessionKnowledge]),
        ("biometry/remove", "/pa/biometry/remove", [.possession]),
        ("upgrade/confirm", "/pa/upgrade/confirm", [.possession]),
    ]

    @Test func `each call takes the factors that it takes`() throws {
        let phone = try bench.phone4()
        try phone.activate(.init(.code(bench.register(.onKeyExchange).code)), pin: MobileBench.pin)
        try phone.confirmActivation(pin: MobileBench.pin)
        let credentials: [(SignatureType, Credential)] = [
            (.possession, .possession), (.possessionKnowledge, Self.pin), (.possessionBiometry, .biometry),
        ]
        for call in Self.calls {
            for (type, credential) in credentials where !call.types.contains(type) {
                let purpose = Purpose(rawValue: call.uriID) ?? .activation
                let body = phone.style.json(try phone.seal([], purpose).request)
                let refused = try phone.signedRequest(
                    "/pa/v4/" + call.path, body: body, uriID: call.uriID, with: credential)
                let code = try JSONValue(parsing: refused.body)["responseObject"]?["message"]
                #expect(code == "POWER_AUTH_CODE_TYPE_INVALID", "\(call.path) by \(type)")
            }
        }
        _ = try phone.status()
        try phone.validate(with: Self.pin)
    }

    @Test func `codes wait for the commit, but that of the confirmation`() throws {
        let phone = try bench.phone4()
        let (id, code) = try bench.register()
        try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        expectUncoded(because: "is PENDING_COMMIT, expected ACTIVE") { try phone.validate(with: .possession) }
        _ = try phone.status()
        try phone.confirmActivation(pin: MobileBench.pin)
        try bench.commit(id)
        try phone.validate(with: Self.pin)
    }

    @Test func `biometry counts once it is enabled`() throws {
        let phone = try bench.phone4()
        try phone.activate(.init(.code(bench.register(.onKeyExchange).code)), pin: MobileBench.pin)
        expectUncoded(because: "biometry is not enabled") { try phone.validate(with: .biometry) }
        phone.activation?.biometryKey = nil
        try phone.confirmActivation(pin: MobileBench.pin)
        #expect(try phone.status().flags == [])
    }

    @Test func `another key of biometry counts beside the former until it is used`() throws {
        let phone = try bench.activePhone4(biometry: true)
        let former = phone.activation?.biometryKey
        bench.refuses = "/pa/v4/auth/validate"
        #expect(throws: ServerRefusal.self) { try phone.addBiometry(pin: MobileBench.pin) }
        bench.refuses = nil
        let next = phone.activation?.biometryKey
        #expect(next != former)
        for key in [former, next] {
            phone.activation?.biometryKey = key
            _ = try phone.status()
            try phone.validate(with: .biometry)
        }
        phone.activation?.biometryKey = former
        expectUncoded(because: "the biometry key is not the activation's") {
            try phone.validate(with: .biometry)
        }
    }

    // MARK: Suites

    @Test func `exchanges and temporary keys are of the activation's suite`() throws {
        let phone = try bench.activePhone4()
        let other = try Protocol4.SecretExchange(.hybrid3) { Entropy.system.bytes($0, "phone") }
        let request = phone.style.json(try other.request())
        for (name, purpose, code) in [
            ("password/change", Purpose.password, "ERR_PASSWORD_CHANGE"),
            ("biometry/add", .biometry, "ERR_BIOMETRY"),
        ] {
            #expect(throws: ServerRefusal.self) {
                _ = try phone.encryptedCall(
                    "/pa/v4/" + name, request, purpose, signing: .transmitted(uriID: "/pa/" + name, Self.pin))
            }
            #expect(bench.lastResponse.text.contains(code))
            #expect(bench.explanation.contains("of EC_P384_ML_L3, the activation of EC_P384"))
        }
        phone.faults.claims = { claims in
            var members = try #require(try JSONValue(parsing: claims).object)
            members["sharedSecretRequest"] = try other.request()
            return JSONValue.object(members).bytes
        }
        bench.expectRefusal(
            400, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE", because: "is of EC_P384."
        ) { _ = try phone.fetchTemporaryKey(.activation) }
    }

    @Test func `protocol 4 has no recovery codes`() throws {
        let phone = try bench.phone4()
        let code = try bench.register(.onKeyExchange).code
        phone.faults.plaintext = { purpose, plaintext in
            guard purpose == .application else { return plaintext }
            var members = try #require(try JSONValue(parsing: plaintext).object)
            members["type"] = "RECOVERY"
            return JSONValue.object(members).bytes
        }
        bench.expectRefusal(
            400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID", because: "is one of 3.x"
        ) { try phone.activate(.init(.code(code)), pin: MobileBench.pin) }
    }

    @Test func `a temporary key is asked for by who has the secret`() throws {
        let phone = try bench.activePhone4()
        let foreign = bench.phone(
            MobileConfiguration(
                applicationKey: MobileBench.otherKey, applicationSecret: MobileBench.secret,
                masterKey: phone.configuration.masterKey))
        (foreign.activation, foreign.algorithm) = (phone.activation, .p384)
        bench.expectRefusal(
            400, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE", because: "There is no activation"
        ) { _ = try foreign.fetchTemporaryKey(.activation) }

        let stranger = bench.phone(
            MobileConfiguration(
                applicationKey: MobileBench.key, applicationSecret: MobileBench.newSecret,
                masterKey: phone.configuration.masterKey))
        stranger.algorithm = .p384
        bench.expectRefusal(
            400, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE", because: "its key is derived"
        ) { _ = try stranger.fetchTemporaryKey(.application) }
    }

    /// A request for a temporary key that names the activation, by that key.
    private func asked(by phone: Device, _ key: [UInt8]) throws -> Response {
        let exchange = try Protocol4.SecretExchange(.p384) { Entropy.system.bytes($0, "phone") }
        let claims = JSONValue.object([
            "applicationKey": .string(MobileBench.key), "challenge": "QUFB",
            "activationId": .string(try phone.requireActivation().id),
            "sharedSecretRequest": try exchange.request(),
        ])
        let token = Device.keyRequest(claims: claims.bytes, key: key, header: #"{"alg":"HS256"}"#)
        return bench.bench.post(
            "/enrollment-server/pa/v4/keystore/create", raw: #"{"requestObject":{"jwt":"\#(token)"}}"#)
    }

    /// Some builds name the activation in application scope.
    @Test func `a request that names an activation is of the scope whose key signed it`() throws {
        let phone = try bench.activePhone4()
        func activation(_ response: Response) throws -> JSONValue? {
            let text = try #require(
                try JSONValue(parsing: response.bytes)["responseObject"]?["jwt"]?.string)
            let payload = try #require(try JSONValue(parsing: Array(text.utf8))["payload"]?.string)
            let claims = try #require(Base64URL.decode(payload))
            return try JSONValue(parsing: claims)["activationId"]
        }
        let own = try phone.requireActivation().ofFourth().temporaryKeyRequestKey
        #expect(try activation(asked(by: phone, own))?.string == phone.requireActivation().id)
        let shared = try Protocol4.temporaryKeyRequestKey(
            applicationSecret: phone.configuration.secretBytes())
        #expect(try activation(asked(by: phone, shared)) == nil)
        #expect(try asked(by: phone, [UInt8](repeating: 0, count: 32)).status == .badRequest)
    }

    @Test func `a second key of the device is one of its suite`() throws {
        let phone = try bench.phone4(.hybrid3)
        let code = try bench.register(.onKeyExchange).code
        phone.faults.plaintext = { purpose, plaintext in
            guard purpose == .keyExchange else { return plaintext }
            var members = try #require(try JSONValue(parsing: plaintext).object)
            var keys = try #require(members["devicePublicKeys"]?.object)
            keys["mldsa"] = .string(Base64.encode([UInt8](repeating: 7, count: 1974)))
            members["devicePublicKeys"] = .object(keys)
            return JSONValue.object(members).bytes
        }
        bench.expectRefusal(
            400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID",
            because: "devicePublicKeys.mldsa: expected a public key of ML-DSA-65"
        ) { try phone.activate(.init(.code(code)), pin: MobileBench.pin) }
    }

    @Test func `the vault of knowledge is not opened by biometry`() throws {
        let bench = try MobileBench(settings: #""unlocks_vault_by_biometry": true"#)
        let phone = try bench.activePhone4(biometry: true)
        _ = try phone.vaultKey4(.applicationTwoFactors, reason: nil, with: .biometry)
        bench.expectRefusal(
            400, "ERR_SECURE_VAULT", "POWER_AUTH_SECURE_VAULT_INVALID",
            because: "is for possession and knowledge alone"
        ) { _ = try phone.vaultKey4(.applicationKnowledge, reason: nil, with: .biometry) }
    }

    @Test(arguments: [#"{"keyIdentifier":" "}"#, "{}", #"{"keyIdentifier":7}"#])
    func `a key of the vault has a name`(_ body: String) throws {
        let phone = try bench.activePhone4()
        bench.expectRefusal(
            400, "ERR_VALIDATION", "keyIdentifier must not be blank", because: "keyIdentifier"
        ) {
            _ = try phone.encryptedCall(
                "/pa/v4/vault/unlock", Array(body.utf8), .vault,
                signing: .transmitted(uriID: "/pa/vault/unlock", Self.pin))
        }
    }

    @Test func `an activation of one application is none of another`() throws {
        let phone = try bench.activePhone4()
        let foreign = bench.phone(
            MobileConfiguration(
                applicationKey: MobileBench.otherKey, applicationSecret: MobileBench.secret,
                masterKey: phone.configuration.masterKey))
        (foreign.activation, foreign.algorithm) = (phone.activation, .p384)
        foreign.faults.temporaryKey = try phone.temporaryKey(.activation)
        bench.expectRefusal(
            400, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED", because: "belongs to another application"
        ) { _ = try foreign.userInfo() }
    }
}
