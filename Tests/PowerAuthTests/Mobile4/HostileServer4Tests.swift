import Crypto
import DeviceKit
import Essentials
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import PowerAuth
@testable import PowerAuthDevice

/// Answers of protocol 4.0 that are signed and sealed by the right keys, and say what cannot be: the phone takes none of them.
@Suite struct HostileServer4Tests {
    private static let pin = Credential.pin(MobileBench.pin)
    private let bench: MobileBench

    init() throws { bench = try MobileBench() }

    // MARK: Temporary keys

    /// The answer to a request for a temporary key with another claim, signed by the application or by the server's keys of `holder`.
    private func resigned(
        _ answer: JSONValue, holder: String?, _ change: (inout [String: JSONValue]) -> Void
    ) throws -> JSONValue {
        let text = try #require(answer["responseObject"]?["jwt"]?.string)
        let payload = try #require(try JSONValue(parsing: Array(text.utf8))["payload"]?.string)
        let bytes = try #require(Base64URL.decode(payload))
        var claims = try #require(try JSONValue(parsing: bytes).object)
        change(&claims)
        let signer = try bench.bench.world.database.read { db in
            if let holder { return try #require(try ActivationSecrets.find(holder, in: db)).signer() }
            return try bench.bench.world.masterSigner(of: ApplicationSuites.find("bank", in: db), .p384)
        }
        let signed = try signer.sign(
            JSONValue.object(claims).bytes, randomness: [UInt8](repeating: 0, count: 32))
        return ["status": "OK", "responseObject": ["jwt": .string(signed.text)]]
    }

    @Test(arguments: ["applicationKey", "activationId", "challenge"])
    func `a temporary key is for the one who asked`(_ claim: String) throws {
        let phone = try bench.activePhone4()
        let id = try #require(phone.activation).id
        for scope in [PowerAuthDevice.Scope.application, .activation] {
            bench.bends = {
                try resigned($1, holder: scope == .activation ? id : nil) { $0[claim] = "QUFB" }
            }
            #expect(throws: DeviceError("“\(claim)” of the temporary key is not that of the request")) {
                _ = try phone.fetchTemporaryKey(scope)
            }
        }
        // It is the activation's own server that signs for it.
        bench.bends = { try resigned($1, holder: nil) { _ in } }
        _ = try phone.fetchTemporaryKey(.application)
        #expect(throws: DeviceError("the signature ES384 of the answer is wrong")) {
            _ = try phone.fetchTemporaryKey(.activation)
        }
    }

    @Test(arguments: [
        ("salt", #""QUFBQUFBQUFBQUFBQUFBQQ==""#), ("encapsulatedKeys", "[]"), ("encapsulatedKeys", "twice"),
    ])
    func `a secret has the parts of its suite`(_ name: String, _ value: String) throws {
        let other = value == "twice" ? nil : try JSONValue(parsing: Array(value.utf8))
        let phone = try bench.activePhone4()
        bench.bends = {
            try resigned($1, holder: nil) { claims in
                var secret = claims["sharedSecretResponse"]?.object ?? [:]
                let own = secret[name]?.array ?? []
                secret[name] = other ?? .array(own + own)
                claims["sharedSecretResponse"] = .object(secret)
            }
        }
        #expect(throws: DeviceError.self) { _ = try phone.fetchTemporaryKey(.application) }
    }

    @Test func `a temporary key is used in time, and for its protocol alone`() throws {
        let phone = try bench.activePhone4()
        _ = try phone.userInfo()
        let kept = try phone.temporaryKey(.activation).id
        try bench.bench.clock.advance(seconds: 292)
        _ = try phone.userInfo()
        #expect(try phone.temporaryKey(.activation).id != kept)

        let updated = try bench.phone4()
        updated.temporaryKeys[.application] = try bench.phone().temporaryKey(.application)
        try updated.activate(.init(.code(bench.register(.onKeyExchange).code)), pin: MobileBench.pin)
    }

    // MARK: Encrypted answers

    /// What was sealed for the phone, with another content.
    private func resealed(
        _ answer: JSONValue, to sent: JSONValue, _ purpose: Purpose, for phone: Device,
        _ change: (inout [String: JSONValue]) throws -> Void
    ) throws -> JSONValue {
        let (key, secret) = (try ApplicationKey(MobileBench.key), try ApplicationSecret(MobileBench.secret))
        let temporary = try #require(phone.temporaryKeys[purpose.scope]).secret()
        let holder = purpose.scope == .activation ? try phone.requireActivation() : nil
        let message = Protocol4.Message(
            purpose: purpose.rawValue, temporaryKeyID: try #require(sent["temporaryKeyId"]?.string),
            secret: temporary, configuration: (key.text, secret.decoded),
            activation: try holder.map { ($0.id, try $0.ofFourth().sharedInfo2Key) },
            nonce: try #require(sent["nonce"]?.string.flatMap { Base64.decode($0) }))
        var members = try #require(try JSONValue(parsing: message.answer(answer)).object)
        try change(&members)
        let binding =
            try holder.map {
                try V4.MessageBinding(
                    key, secret, activationID: $0.id, sharedInfo2: $0.ofFourth().sharedInfo2Key)
            } ?? V4.MessageBinding(key, secret)
        return try V4.EncryptedRequest(sent).answer(
            JSONValue.object(members).bytes, purpose.rawValue, secret: temporary, binding,
            milliseconds: #require(answer["timestamp"]?.integer))
    }

    /// Answers of that path say something else.
    private func bend(
        _ path: String, _ purpose: Purpose, of phone: Device,
        _ change: @escaping (inout [String: JSONValue]) throws -> Void
    ) {
        bench.bends = { asked, answer in
            guard asked == path else { return answer }
            let sent = try JSONValue(parsing: #require(phone.lastRequest).body)
            return try resealed(answer, to: sent, purpose, for: phone, change)
        }
    }

    @Test func `secrets of tokens and keys of the vault have their length`() throws {
        let phone = try bench.activePhone4()
        let short = JSONValue.string(Base64.encode([UInt8](repeating: 1, count: 16)))
        bend("/pa/v4/token/create", .token, of: phone) { $0["tokenSecret"] = short }
        #expect(throws: DeviceError.self) { try phone.createToken("short") }
        #expect(phone.tokens.isEmpty)
        bend("/pa/v4/vault/unlock", .vault, of: phone) { $0["vaultEncryptionKey"] = short }
        #expect(throws: DeviceError.self) { try phone.unlockVault(reason: nil, with: Self.pin) }
        bend("/pa/v4/vault/unlock", .vault, of: phone) {
            $0["vaultEncryptionKey"] = .string(Base64.encode([UInt8](repeating: 1, count: 32)))
        }
        #expect(throws: DeviceError("the key of the vault opens another device's key")) {
            try phone.signWithDeviceKey([1], with: Self.pin)
        }
    }

    @Test(arguments: [
        ("ctrData", #""QUFBQUFBQUFBQUFBQUFBQQ==""#), ("activationId", #""""#), ("activationId", "7"),
        ("serverPublicKeys", #"{"ecdsa":"QUFB"}"#), ("serverPublicKeys", "{}"),
    ])
    func `an activation that cannot be is none`(_ name: String, _ value: String) throws {
        let other = try JSONValue(parsing: Array(value.utf8))
        let phone = try bench.phone4()
        let code = try bench.register(.onKeyExchange).code
        let caught = Caught()
        phone.faults.plaintext = { purpose, plaintext in
            if purpose == .application {
                caught.value = try JSONValue(parsing: plaintext)["activationData"]
            }
            return plaintext
        }
        bend("/pa/v4/activation/create", .application, of: phone) { outer in
            outer["activationData"] = try resealed(
                #require(outer["activationData"]), to: #require(caught.value), .keyExchange, for: phone
            ) { $0[name] = other }
        }
        #expect(throws: (any Error).self) {
            try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        }
        #expect(phone.activation == nil)
    }

    private final class Caught: @unchecked Sendable { var value: JSONValue? }

    /// Both directions have one key and one context; the IVs tell them apart.
    @Test func `a request that comes back is no answer`() throws {
        let phone = try bench.activePhone4()
        bench.bends = { path, answer in
            guard path == "/pa/v4/user/info" else { return answer }
            let sent = try JSONValue(parsing: #require(phone.lastRequest).body)
            return [
                "encryptedData": try #require(sent["encryptedData"]),
                "timestamp": try #require(sent["timestamp"]),
            ]
        }
        #expect(throws: DeviceError("the answer does not begin with the second half of the nonce")) {
            _ = try phone.userInfo()
        }
    }

    // MARK: Status

    /// A status with other bytes before its MAC, which is right again.
    private func statusBlob(
        _ phone: Device, _ change: @escaping (inout [UInt8]) -> Void
    ) throws -> (any Error)? {
        bend("/pa/v4/activation/status", .activation, of: phone) { answer in
            var bytes = try #require(answer["activationStatus"]?.string.flatMap { Base64.decode($0) })
            bytes.removeLast(32)
            change(&bytes)
            let key = try phone.requireActivation().ofFourth().statusKey
            bytes += try V4.mac(bytes, key, for: .status)
            answer["activationStatus"] = .string(Base64.encode(bytes))
        }
        do {
            _ = try phone.status()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a status says what can be`() throws {
        let phone = try bench.activePhone4()
        let unchanged = try statusBlob(phone) { _ in }
        #expect(unchanged == nil)
        let before = phone.activation
        let bends: [(inout [UInt8]) -> Void] = [
            { $0[0] ^= 1 }, { $0[3] = 0xD1 }, { $0[4] = 0 }, { $0[4] = 9 }, { $0[15] = 0 }, { $0[15] = 65 },
            { $0.append(0) },
        ]
        for bend in bends {
            let error = try statusBlob(phone, bend)
            #expect(error is DeviceError)
        }
        #expect(phone.activation == before)
    }

    @Test func `a counter that is not that of the activation is told apart`() throws {
        let phone = try bench.activePhone4()
        let before = phone.activation
        let bends: [(inout [UInt8]) -> Void] = [
            { $0[12] &+= 1 }, { $0[16] ^= 1 }, { ($0[12], $0[16]) = ($0[12] &+ 1, $0[16] ^ 1) },
        ]
        for bend in bends {
            let error = try statusBlob(phone, bend)
            #expect(error is CounterDeadlock)
        }
        #expect(phone.activation == before)
    }
}
