import Crypto
import DeviceKit
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import PowerAuth
@testable import PowerAuthDevice

/// What documents leave open, or had otherwise before the release: it is refused, and the journal says in which reading it would be right.
@Suite struct OtherReading4Tests {
    private static let pin = Credential.pin(MobileBench.pin)
    private let bench: MobileBench

    init() throws { bench = try MobileBench() }

    /// KMAC-256 as SP 800-185 has it, with the custom string of June 2025, or without the part that is empty.
    private func derived(_ key: [UInt8], _ label: String, _ isFormer: Bool, _ diversifier: [UInt8] = [])
        throws -> [UInt8]
    {
        let text = Array(label.utf8)
        let sized = [0, 0, 0, UInt8(text.count)] + text
        return isFormer
            ? try KMAC256.code(of: diversifier, key: key, custom: "PA4KDF:" + label, count: 32)
            : try KMAC256.code(of: sized, key: key, custom: "PA4KDF", count: 32)
    }

    @Test(arguments: [true, false])
    func `a request for a temporary key tells how its key is derived`(_ isFormer: Bool) throws {
        let secret = try #require(Base64.decode(MobileBench.secret))
        let exchange = try Protocol4.SecretExchange(.p384) { Entropy.system.bytes($0, "phone") }
        let claims = JSONValue.object([
            "applicationKey": .string(MobileBench.key), "challenge": "QUFB",
            "sharedSecretRequest": try exchange.request(),
        ])
        let token = Device.keyRequest(
            claims: claims.bytes, key: try derived(secret, "util/mac/get-app-temp-key", isFormer),
            header: #"{"alg":"HS256"}"#)
        let refused = bench.bench.post(
            "/enrollment-server/pa/v4/keystore/create", raw: #"{"requestObject":{"jwt":"\#(token)"}}"#)
        #expect(refused.status == .badRequest)
        let says = isFormer ? "in June 2025" : "without the length of an empty diversifier"
        #expect(bench.explanation.contains("It would be right for keys that are derived"))
        #expect(bench.explanation.contains(says), "\(bench.explanation)")
    }

    @Test func `an encrypted request tells how its keys are derived`() throws {
        let phone = try bench.phone4()
        let key = try phone.temporaryKey(.application)
        let sealed = try phone.seal([1, 2, 3], .application).request
        var bytes = try #require(sealed["encryptedData"]?.string.flatMap { Base64.decode($0) })
        let nonce = try #require(sealed["nonce"]?.string.flatMap { Base64.decode($0) })
        let time = try #require(sealed["timestamp"]?.integer)
        let context = Array("4.0/pa/generic/application".utf8) + nonce
        let names = ["4.0", MobileBench.key, key.id].map { Array($0.utf8) }
        let secret = try #require(Base64.decode(MobileBench.secret))
        let clock: [UInt8] = (0..<8).reversed().map { UInt8(truncatingIfNeeded: time >> ($0 * 8)) }
        let parts: [[UInt8]] = names + [clock, nonce, SHA3.bits256(secret)]
        let associated: [UInt8] = parts.flatMap { part -> [UInt8] in
            [0, 0, 0, UInt8(part.count)] + part
        }
        let tag = try KMAC256.code(
            of: Array(bytes[..<12]) + associated + Array(bytes[44...]),
            key: derived(key.secret(), "aead/mac", true, context), custom: "PA4MAC-AEAD", count: 32)
        bytes.replaceSubrange(12..<44, with: tag)
        var members = try #require(sealed.object)
        members["encryptedData"] = .string(Base64.encode(bytes))
        let body = JSONValue.object(members).bytes
        bench.expectRefusal(
            400, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED", because: "in June 2025"
        ) {
            let header = try phone.encryptionHeader(.application)
            let request = DeviceRequest(
                "/pa/v4/config/application", headers: [("X-PowerAuth-Encryption", header)], body: body)
            throw ServerRefusal(try phone.send(request))
        }
    }

    @Test(arguments: [16, 32])
    func `a code tells that it is one of before the release`(_ count: Int) throws {
        let phone = try bench.activePhone4()
        let activation = try #require(phone.activation)
        let header = try phone.authorization(uriID: "/pa/auth/validate", body: [], with: Self.pin)
        let read = try AuthorizationHeader(header)
        let data = [
            "POST", Base64.encode(Array("/pa/auth/validate".utf8)), read.nonce, "", MobileBench.secret,
        ]
        func code(_ key: [UInt8], _ bytes: [UInt8], _ count: Int = 32) throws -> [UInt8] {
            try KMAC256.code(of: bytes, key: key, custom: "PA4CODE", count: count)
        }
        let counter = activation.counter.data
        let first = try code(activation.possessionKey, counter)
        let second = try code(code(activation.knowledgeKey.key(pin: MobileBench.pin), counter), first)
        let bytes = try [first, second].flatMap {
            try code($0, Array(data.joined(separator: "&").utf8), count)
        }
        bench.expectRefusal(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_CODE_INVALID", because: "before the release, in June 2025"
        ) {
            let bent = header.replacing(read.signature, with: Base64.encode(bytes))
            let request = DeviceRequest(
                "/pa/v4/auth/validate", headers: [("X-PowerAuth-Authorization", bent)])
            throw ServerRefusal(try phone.send(request))
        }
    }

    @Test func `a next key that becomes the current one is noted`() throws {
        let phone = try bench.activePhone4()
        try phone.changePIN(from: MobileBench.pin, to: "8642")
        #expect(
            bench.bench.journal.contains {
                $0.explanation?.contains("made a code with its next key of knowledge") == true
            })
    }
}
