import Crypto
import Essentials
import Testing
import WebAuthn

@Suite struct COSEKeyTests {
    /// A key of each algorithm and a signature by it, made by pyca/cryptography.
    struct Foreign: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let alg: Int
        let key: String
        let message: String
        let signature: String

        var testDescription: String { name }
        var bytes: [UInt8] { Hex.decode(key) ?? [] }

        static let all: [Foreign] = {
            let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Vectors/webauthn/cose.json")
            guard let data = try? Data(contentsOf: file),
                let all = try? JSONDecoder().decode([Foreign].self, from: data)
            else { preconditionFailure("no vectors in cose.json") }
            return all
        }()

        static func named(_ name: String) throws -> CBOR {
            try CBORDecoder.decode(try #require(all.first { $0.name == name }).bytes)
        }
    }

    @Test(arguments: Foreign.all)
    func `a key of another maker verifies a signature by it`(_ foreign: Foreign) throws {
        guard foreign.name != "RS1" else {
            let error = #expect(throws: COSEKeyError.self) { try COSEKey(foreign.bytes) }
            #expect(error?.description == "expected an algorithm for credentials, got RS1 (-65535)")
            return
        }
        let key = try COSEKey(foreign.bytes)
        let (message, signature) = (Hex.decode(foreign.message) ?? [], Hex.decode(foreign.signature) ?? [])

        #expect(key.algorithm.name == foreign.name)
        #expect(key.algorithm.rawValue == foreign.alg)
        #expect(key.bytes == foreign.bytes)
        #expect(key.isValid(signature, for: message))
        #expect(!key.isValid(signature, for: message + [0]))
        #expect(!key.isValid(signature.dropLast(), for: message))
        #expect(!key.isValid([], for: message))
    }

    @Test func `every algorithm has a key`() {
        #expect(Set(Foreign.all.map(\.alg)) == Set(COSEAlgorithm.allCases.map(\.rawValue)))
    }

    /// A key with one label changed, or removed.
    private func refusal(_ name: String, _ label: Int, _ value: CBOR?) throws -> COSEKeyError? {
        let entries = try #require(try Foreign.named(name).map).filter { $0.key != CBOR(label) }
        let changed = CBOR.map(entries + (value.map { [CBOREntry(CBOR(label), $0)] } ?? []))
        return #expect(throws: COSEKeyError.self) { try COSEKey(changed.encoded) }
    }

    @Test func `the key type, algorithm and curve must go together`() throws {
        #expect(try refusal("ES256", 1, CBOR(3))?.expected == "key type EC2 (2) for ES256")
        #expect(try refusal("ES256", 1, nil)?.expected == "a key type (label 1)")
        #expect(try refusal("ES256", 3, nil)?.expected == "an algorithm (label 3)")
        #expect(try refusal("ES256", 3, CBOR(-1))?.got == "-1")
        #expect(try refusal("ES256", 3, CBOR(-35))?.expected == "curve 2 for ES384")
        #expect(try refusal("ES256", 3, CBOR(-257))?.expected == "key type RSA (3) for RS256")
        #expect(try refusal("ES256", -1, CBOR(8))?.got == "curve 8")
        #expect(try refusal("EdDSA", -1, CBOR(7))?.expected == "curve 6 for EdDSA")
        #expect(try refusal("RS256", 1, CBOR(2))?.expected == "key type RSA (3) for RS256")
    }

    @Test func `coordinates have the size of the curve, and the point is on it`() throws {
        let x = try #require(try Foreign.named("ES256")[-2]?.bytes)
        #expect(try refusal("ES256", -2, .bytes([0] + x))?.expected == "x (label -2) of 32 bytes")
        #expect(try refusal("ES256", -2, .bytes(x.dropLast() + []))?.got == "31 bytes")
        #expect(try refusal("ES256", -2, .bytes(x.dropLast() + [x[31] ^ 1]))?.expected == "a key of ES256")
        // A compressed point.
        #expect(try refusal("ES256", -3, .boolean(true))?.got == "true")
        #expect(try refusal("ES256", -3, nil)?.expected == "y (label -3) of 32 bytes")
        #expect(try refusal("EdDSA", -2, .bytes([1]))?.expected == "x (label -2) of 32 bytes")
        #expect(
            try refusal("Ed448", -2, .bytes([UInt8](repeating: 0, count: 32)))?.expected
                == "x (label -2) of 57 bytes")
    }

    @Test func `an RSA key has no leading zero, a sound exponent and 2048 bits or more`() throws {
        let modulus = try #require(try Foreign.named("RS256")[-1]?.bytes)
        #expect(try refusal("RS256", -1, .bytes([0] + modulus))?.expected == "n without a leading zero")
        #expect(try refusal("RS256", -1, .bytes([]))?.expected == "n without a leading zero")
        #expect(try refusal("RS256", -1, .bytes(modulus.dropLast() + []))?.got == "2040 bits")
        let long = [UInt8](repeating: 0xFF, count: 1025)
        #expect(try refusal("RS256", -1, .bytes(long))?.got == "8200 bits")
        for exponent: [UInt8] in [[], [1], [2], [1, 0, 0], [UInt8](repeating: 1, count: 9)] {
            #expect(
                try refusal("RS256", -2, .bytes(exponent))?.expected
                    == "an odd e of 3 or more in at most 8 bytes")
        }
    }

    @Test func `bytes that are no key are refused`() {
        for bytes: [UInt8] in [[], [0xF6], [0x80], [0xA0], [0xA1, 0x01, 0x02, 0x00]] {
            #expect(throws: COSEKeyError.self) { try COSEKey(bytes) }
        }
    }

    @Test func `a key of ours is written in canonical form`() throws {
        let key = try PrivateKey.generate(.ec(.p256)).publicKey
        let point = try key.point()
        // Web Authentication Level 3 §6.5.1.1, the example.
        let expected: [UInt8] =
            [0xA5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20] + point.x + [0x22, 0x58, 0x20] + point.y
        #expect(try COSEKey(key, .es256).bytes == expected)
        #expect(throws: COSEKeyError.self) { try COSEKey(key, .es384) }
    }
}
