import Crypto
import Testing

struct SignatureTests {
    struct ECVector: Decodable {
        let curve: String
        let secret: HexBytes
        let x: HexBytes
        let y: HexBytes
        let message: String
        let signature: HexBytes
    }

    struct EdVector: Decodable {
        let secret: HexBytes
        let publicKey: HexBytes
        let message: HexBytes
        let signature: HexBytes
    }

    static let algorithms: [Curve: SignatureAlgorithm] = [.p256: .es256, .p384: .es384, .p521: .es512]

    @Test(arguments: vectors(ECVector.self, "crypto/rfc6979.json"))
    func `ECDSA signatures of RFC 6979 are right and ours are with its keys`(_ vector: ECVector) throws {
        let curve = try #require(Curve(rawValue: vector.curve))
        let algorithm = try #require(Self.algorithms[curve])
        let message = Array(vector.message.utf8)
        let publicKey = try PublicKey(curve, x: vector.x.bytes, y: vector.y.bytes)
        let privateKey = try PrivateKey(
            curve, x: vector.x.bytes, y: vector.y.bytes, secret: vector.secret.bytes)

        #expect(publicKey.isValid(vector.signature.bytes, for: message, with: algorithm))
        #expect(!publicKey.isValid(vector.signature.bytes, for: message + [0], with: algorithm))
        let ours = try privateKey.sign(message, with: algorithm)
        #expect(ours.count == 2 * curve.coordinateCount)
        #expect(publicKey.isValid(ours, for: message, with: algorithm))
        #expect(privateKey.publicKey == publicKey)
    }

    @Test(arguments: vectors(EdVector.self, "crypto/rfc8032.json"))
    func `Ed25519 signatures are those of RFC 8032`(_ vector: EdVector) throws {
        let privateKey = try PrivateKey(ed25519: vector.secret.bytes)
        let publicKey = try PublicKey(ed25519: vector.publicKey.bytes)

        let signature = try privateKey.sign(vector.message.bytes, with: .eddsa)
        #expect(signature == vector.signature.bytes)
        #expect(publicKey.isValid(vector.signature.bytes, for: vector.message.bytes, with: .eddsa))
        #expect(privateKey.publicKey == publicKey)
    }

    @Test(arguments: vectors(ECVector.self, "crypto/rfc6979.json"))
    func `the DER form and r with s are the same signature`(_ vector: ECVector) throws {
        let curve = try #require(Curve(rawValue: vector.curve))

        let der = try ECSignature.der(fromRaw: vector.signature.bytes, curve)
        #expect(der.first == 0x30)
        #expect(try ECSignature.raw(fromDER: der, curve) == vector.signature.bytes)
    }

    @Test func `malformed signatures are refused and break nothing`() throws {
        let key = try PrivateKey.generate(.ec(.p256))
        let signature = try key.sign([1], with: .es256)
        let malformed: [[UInt8]] = [
            [], [0], signature.dropLast(), signature + [0], [UInt8](repeating: 0, count: 64),
            [UInt8](repeating: 255, count: 64), [UInt8](repeating: 0, count: 32) + signature[32...],
        ]

        for bytes in malformed { #expect(!key.publicKey.isValid(bytes, for: [1], with: .es256)) }
        #expect(key.publicKey.isValid(signature, for: [1], with: .es256))
    }

    @Test func `an algorithm for another kind of key does not sign and does not verify`() throws {
        let key = try PrivateKey.generate(.ec(.p256))
        let signature = try key.sign([1], with: .es256)

        for algorithm in SignatureAlgorithm.allCases where algorithm != .es256 {
            #expect(throws: CryptoError.self) { try key.sign([1], with: algorithm) }
            #expect(!key.publicKey.isValid(signature, for: [1], with: algorithm))
        }
    }

    @Test func `RSA keys below 2048 bits do not sign`() throws {
        let key = try PrivateKey.generate(.rsa(bits: 1024))

        #expect(throws: CryptoError.self) { try key.sign([1], with: .rs256) }
    }

    @Test func `eight threads sign with one key`() async throws {
        let key = try PrivateKey.generate(.ec(.p256))

        let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
            for thread in UInt8(0)..<8 {
                group.addTask {
                    try (0..<50).count { index in
                        let message = [thread, UInt8(index)]
                        let signature = try key.sign(message, with: .es256)
                        return !key.publicKey.isValid(signature, for: message, with: .es256)
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }
}
