import Crypto
import Essentials
import Testing

@testable import WebAuthn

/// The extensions `prf` and `largeBlob` of the software authenticator. Source: Web Authentication Level 3 §10.1.4 and §10.1.5.
@Suite struct SoftwareExtensionTests {
    /// The standard's examples of `prf` on top of `hmac-secret`; see `Tests/Vectors/webauthn/README.md`.
    struct PRFVectors: Decodable {
        struct Point: Decodable {
            let x: String
            let y: String
        }

        struct Example: Decodable {
            let pinProtocol: Int
            let evalFirst: String
            let evalSecond: String?
            let sharedSecret: String
            let salt1: String
            let salt2: String?
            let saltEnc: String
            let output1: String
            let output2: String?
            let outputEnc: String
            let resultsFirst: String
            let resultsSecond: String?
        }

        let platformKey: String
        let authenticatorKey: Point
        let credRandom: String
        let vectors: [Example]

        static func read() throws -> PRFVectors {
            let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Vectors/webauthn/w3c-prf.json")
            return try JSONDecoder().decode(PRFVectors.self, from: Data(contentsOf: file))
        }
    }

    let helper = SoftwareAuthenticatorTests()

    static func bytes(_ hex: String?) throws -> [UInt8] { try #require(hex.flatMap { Hex.decode($0) }) }

    @Test func `inputs become salts, and salts outputs, as in the published examples`() throws {
        let published = try PRFVectors.read()
        let secret = HMACSecret(credRandom: try Self.bytes(published.credRandom))
        #expect(published.vectors.count == 3)
        for example in published.vectors {
            let inputs = PRFRequest.Inputs(
                first: try Self.bytes(example.evalFirst), second: try example.evalSecond.map(Self.bytes))
            let salts = [example.salt1, example.salt2].compactMap(\.self)
            #expect(inputs.salts.map { Hex.encode($0) } == salts)
            let outputs = [example.output1, example.output2].compactMap(\.self)
            #expect(secret.outputs(inputs.salts).map { Hex.encode($0) } == outputs)
        }
    }

    @Test func `client and authenticator share the published secret, and encrypt by it`() throws {
        let published = try PRFVectors.read()
        let point = published.authenticatorKey
        let channel = try PINProtocolTwo(
            PrivateKey(.p256, scalar: Self.bytes(published.platformKey)),
            PublicKey(.p256, x: Self.bytes(point.x), y: Self.bytes(point.y)))
        for example in published.vectors where example.pinProtocol == 2 {
            #expect(Hex.encode(channel.sharedSecret) == example.sharedSecret)
            for (plain, encrypted) in [
                (example.salt1 + (example.salt2 ?? ""), example.saltEnc),
                (example.output1 + (example.output2 ?? ""), example.outputEnc),
            ] {
                let iv = Array(try Self.bytes(encrypted).prefix(16))
                #expect(Hex.encode(try channel.encrypt(Self.bytes(plain), iv: iv)) == encrypted)
            }
        }
    }

    @Test func `a login with the published secret and inputs gives the published results`() throws {
        let published = try PRFVectors.read()
        var authenticator = helper.authenticator()
        _ = try authenticator.create(helper.creation())
        authenticator.credentials[0].credRandom = try Self.bytes(published.credRandom)
        for example in published.vectors {
            var eval = ["first": text(try Self.bytes(example.evalFirst))]
            eval["second"] = try example.evalSecond.map { text(try Self.bytes($0)) }
            let got = try JSONValue(
                parsing: authenticator.get(request(["prf": ["eval": .object(eval)]])))
            var results = ["first": text(try Self.bytes(example.resultsFirst))]
            results["second"] = try example.resultsSecond.map { text(try Self.bytes($0)) }
            #expect(got["clientExtensionResults"] == ["prf": ["results": .object(results)]])
        }
    }

    @Test func `a ceremony with extensions is verified, and its data say ED`() throws {
        var authenticator = helper.authenticator()
        let asked: JSONValue = [
            "prf": ["eval": ["first": "AQ"]], "credProps": true, "largeBlob": ["support": "required"],
        ]
        let created = try authenticator.create(creation(asked))
        let record = try helper.record(created)
        let results = try JSONValue(parsing: created)["clientExtensionResults"]
        #expect(results?.object?.keys.sorted() == ["credProps", "largeBlob", "prf"])
        #expect(results?["prf"]?["enabled"] == true)

        let got = try authenticator.get(request(["prf": ["eval": ["first": "AQ"]]]))
        let verified = try helper.authentication.verify(got, at: Vector.now) { _ in record }
        #expect(verified.flags.contains(.extensions))
        #expect(
            try JSONValue(parsing: got)["clientExtensionResults"]?["prf"]?["results"]
                == results?["prf"]?["results"])
    }

    @Test func `a key of U2F knows no extensions`() throws {
        let authority = try SoftwareAttestationTests.authority()
        var authenticator = helper.authenticator { $0.attestation = .fidoU2F(authority) }
        let created = try JSONValue(
            parsing: authenticator.create(creation(["prf": [:], "largeBlob": ["support": "preferred"]])))
        #expect(
            created["clientExtensionResults"]
                == ["prf": ["enabled": false], "largeBlob": ["supported": false]])
        let error = #expect(throws: SoftwareAuthenticatorError.self) {
            try authenticator.create(creation(["largeBlob": ["support": "required"]]))
        }
        #expect(error?.name == .notSupported)
    }

    @Test func `a login that is refused writes no blob`() throws {
        var authenticator = helper.authenticator()
        let id = try helper.record(authenticator.create(creation(["largeBlob": [:]]))).id
        let before = authenticator.credentials
        for extensions: JSONValue in [
            ["largeBlob": ["write": "AQ"], "prf": ["evalByCredential": ["AQ": ["first": "AQ"]]]],
            ["largeBlob": ["write": "AQ", "read": true]], ["largeBlob": ["write": "+"]],
        ] {
            #expect(throws: SoftwareAuthenticatorError.self) {
                try authenticator.get(request(extensions, [id]))
            }
            #expect(authenticator.credentials == before)
        }
    }

    private func creation(_ extensions: JSONValue) -> [UInt8] {
        helper.creation([-7], ["extensions": extensions])
    }

    private func request(_ extensions: JSONValue, _ allowed: [[UInt8]] = []) -> [UInt8] {
        JSONValue.object([
            "challenge": text(SoftwareAuthenticatorTests.challenge), "rpId": "example.org",
            "allowCredentials": .array(allowed.map { ["type": "public-key", "id": text($0)] }),
            "extensions": extensions,
        ]).bytes
    }
}
