import Crypto
import Testing

struct KeyDerivationStepTests {
    struct Vector: Decodable {
        let secret, salt, info, key: HexBytes
        let digest: String
    }

    @Test(arguments: vectors(Vector.self, "crypto/rfc5869.json"))
    func `HKDF in two steps is that of RFC 5869`(_ vector: Vector) throws {
        let digest = try #require(Digest(rawValue: vector.digest))
        let key = KeyDerivation.hkdfExtract(digest, salt: vector.salt.bytes, secret: vector.secret.bytes)

        #expect(
            try KeyDerivation.hkdfExpand(
                digest, key: key, info: vector.info.bytes, count: vector.key.bytes.count) == vector.key.bytes)
        #expect(throws: CryptoError.self) {
            try KeyDerivation.hkdfExpand(digest, key: key, info: [], count: 255 * digest.count + 1)
        }
    }

    struct CTRVector: Decodable {
        let section: String
        let key, counter, plaintext, ciphertext: HexBytes
    }

    @Test(arguments: vectors(CTRVector.self, "crypto/aes-ctr.json"))
    func `CTR encrypts and decrypts as in RFC 3686 and SP 800-38A`(_ vector: CTRVector) throws {
        let (key, counter) = (vector.key.bytes, vector.counter.bytes)

        #expect(
            try AES.applyCTR(vector.plaintext.bytes, key: key, counter: counter) == vector.ciphertext.bytes)
        #expect(
            try AES.applyCTR(vector.ciphertext.bytes, key: key, counter: counter) == vector.plaintext.bytes)
        #expect(try AES.applyCTR([], key: key, counter: counter) == [])
        #expect(throws: CryptoError.self) { try AES.applyCTR([1], key: key, counter: [1]) }
    }
}
