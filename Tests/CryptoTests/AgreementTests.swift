import Crypto
import Testing

struct AgreementTests {
    struct Vector: Decodable {
        let section: String
        let secret: HexBytes
        let point: HexBytes
        let product: HexBytes
    }

    /// RFC 7748 §6.1: the public key is the product of the secret and this point.
    static let basePoint: [UInt8] = [9] + [UInt8](repeating: 0, count: 31)

    @Test(arguments: vectors(Vector.self, "crypto/rfc7748.json"))
    func `secrets and public keys are those of RFC 7748`(_ vector: Vector) throws {
        let key = try AgreementKey(vector.secret.bytes)

        #expect(key.secretBytes == vector.secret.bytes)
        #expect(try key.sharedSecret(with: vector.point.bytes) == vector.product.bytes)
        if vector.point.bytes == Self.basePoint { #expect(key.publicBytes == vector.product.bytes) }
    }

    @Test func `two new keys agree on a secret that a third does not know`() throws {
        let keys = try (1...3).map { _ in try AgreementKey.generate() }

        let secret = try keys[0].sharedSecret(with: keys[1].publicBytes)
        #expect(try keys[1].sharedSecret(with: keys[0].publicBytes) == secret)
        #expect(try keys[2].sharedSecret(with: keys[0].publicBytes) != secret)
    }

    @Test func `a point that makes every secret zero is refused`() throws {
        let key = try AgreementKey.generate()

        // RFC 7748 §6.1: the check for the all-zero value.
        for point in [[UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31)] {
            #expect(throws: CryptoError.self) { try key.sharedSecret(with: point) }
        }
    }

    @Test(arguments: [0, 1, 31, 33])
    func `a key of a wrong size is an error`(count: Int) throws {
        let bytes = [UInt8](repeating: 7, count: count)
        let key = try AgreementKey.generate()

        #expect(throws: CryptoError.self) { try AgreementKey(bytes) }
        #expect(throws: CryptoError.self) { try key.sharedSecret(with: bytes) }
    }
}
