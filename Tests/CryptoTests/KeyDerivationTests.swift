import Crypto
import Testing

struct KeyDerivationTests {
    struct PasswordVector: Decodable {
        let password: HexBytes
        let salt: HexBytes
        let iterations: Int
        let key: HexBytes
    }

    struct SecretVector: Decodable {
        let name: String
        let secret: HexBytes
        let salt: HexBytes
        let info: HexBytes
        let key: HexBytes
    }

    @Test(arguments: vectors(PasswordVector.self, "crypto/rfc6070.json"))
    func `keys from passwords are those of RFC 6070`(_ vector: PasswordVector) throws {
        let key = try KeyDerivation.pbkdf2(
            .sha1, password: vector.password.bytes, salt: vector.salt.bytes, iterations: vector.iterations,
            count: vector.key.bytes.count)

        #expect(key == vector.key.bytes)
    }

    @Test(arguments: vectors(SecretVector.self, "crypto/rfc5869.json"))
    func `keys from secrets are those of RFC 5869`(_ vector: SecretVector) throws {
        let key = try KeyDerivation.hkdf(
            .sha256, secret: vector.secret.bytes, salt: vector.salt.bytes, info: vector.info.bytes,
            count: vector.key.bytes.count)

        #expect(key == vector.key.bytes)
    }

    struct CurveVector: Decodable {
        let secret: HexBytes
        let sinfo: HexBytes
        let expected: HexBytes
    }

    @Test(arguments: testVectors(CurveVector.self, "powerauth/primitives/kdf-x963.json"))
    func `keys from agreements are those of X9 63`(_ vector: CurveVector) {
        let key = KeyDerivation.x963(
            .sha256, secret: vector.secret.bytes, info: vector.sinfo.bytes, count: vector.expected.bytes.count
        )

        #expect(key == vector.expected.bytes)
    }

    @Test func `a shorter key is the beginning of a longer one`() {
        let long = KeyDerivation.x963(.sha256, secret: [1], info: [2], count: 100)

        for count in [0, 1, 31, 32, 33, 64, 99] {
            let key = KeyDerivation.x963(.sha256, secret: [1], info: [2], count: count)
            #expect(key == Array(long.prefix(count)))
        }
    }

    @Test func `what the functions do not define is an error`() {
        #expect(throws: CryptoError.self) {
            try KeyDerivation.pbkdf2(.sha256, password: [1], salt: [2], iterations: 0, count: 32)
        }
        // RFC 5869 §2.3: at most 255 hashes.
        #expect(throws: CryptoError.self) {
            try KeyDerivation.hkdf(.sha256, secret: [1], salt: [], info: [], count: 255 * 32 + 1)
        }
    }
}
