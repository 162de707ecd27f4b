import Crypto
import Testing

struct AESTests {
    struct BlockVector: Decodable {
        let key: HexBytes
        let iv: HexBytes
        let plaintext: HexBytes
        let ciphertext: HexBytes
    }

    struct SealVector: Decodable {
        let name: String
        let key: HexBytes
        let nonce: HexBytes
        let plaintext: HexBytes
        let associated: HexBytes
        let ciphertext: HexBytes
        let tag: HexBytes
    }

    @Test(arguments: vectors(BlockVector.self, "crypto/sp800-38a-cbc.json"))
    func `CBC is that of SP 800-38A in both directions`(_ vector: BlockVector) throws {
        let (key, iv) = (vector.key.bytes, vector.iv.bytes)

        let encrypted = try AES.encryptCBC(vector.plaintext.bytes, key: key, iv: iv, padding: false)
        let decrypted = try AES.decryptCBC(vector.ciphertext.bytes, key: key, iv: iv, padding: false)
        #expect(encrypted == vector.ciphertext.bytes)
        #expect(decrypted == vector.plaintext.bytes)
    }

    struct PaddedVector: Decodable {
        let plain: HexBytes
        let key: HexBytes
        let iv: HexBytes
        let enc: HexBytes
    }

    @Test(arguments: testVectors(PaddedVector.self, "powerauth/primitives/aes-cbc-pkcs7.json"))
    func `CBC with padding is that of another implementation`(_ vector: PaddedVector) throws {
        let (key, iv) = (vector.key.bytes, vector.iv.bytes)

        #expect(try AES.encryptCBC(vector.plain.bytes, key: key, iv: iv) == vector.enc.bytes)
        #expect(try AES.decryptCBC(vector.enc.bytes, key: key, iv: iv) == vector.plain.bytes)
    }

    @Test(arguments: [
        // FIPS 197 appendix C.1 to C.3
        (16, "69c4e0d86a7b0430d8cdb78070b4c55a"), (24, "dda97ca4864cdfe06eaf70a0ec0d7191"),
        (32, "8ea2b7ca516745bfeafc49904b496089"),
    ])
    func `a single block is that of FIPS 197`(_ size: Int, _ expected: String) throws {
        let key = (0..<size).map(UInt8.init)
        let block = (0..<16).map { UInt8($0 * 17) }

        #expect(try Hex.encode(AES.encryptBlock(block, key: key)) == expected)
        #expect(throws: CryptoError.self) { try AES.encryptBlock(block + block, key: key) }
        #expect(throws: CryptoError.self) { try AES.encryptBlock([], key: key) }
    }

    @Test(arguments: [0, 1, 15, 16, 17, 4096])
    func `padding fills up to the next block and is taken off again`(count: Int) throws {
        let (key, iv) = ([UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 16))
        let plaintext = [UInt8](repeating: 3, count: count)

        let encrypted = try AES.encryptCBC(plaintext, key: key, iv: iv)
        #expect(encrypted.count == (count / 16 + 1) * 16)
        #expect(try AES.decryptCBC(encrypted, key: key, iv: iv) == plaintext)
    }

    @Test(arguments: vectors(BlockVector.self, "crypto/sp800-38a-cfb128.json"))
    func `CFB is that of SP 800-38A in both directions`(_ vector: BlockVector) throws {
        let (key, iv) = (vector.key.bytes, vector.iv.bytes)

        #expect(try AES.encryptCFB(vector.plaintext.bytes, key: key, iv: iv) == vector.ciphertext.bytes)
        #expect(try AES.decryptCFB(vector.ciphertext.bytes, key: key, iv: iv) == vector.plaintext.bytes)
    }

    @Test(arguments: [0, 1, 15, 17, 63])
    func `CFB of a part of a message is that part of the ciphertext`(count: Int) throws {
        let vector = try #require(vectors(BlockVector.self, "crypto/sp800-38a-cfb128.json").first)
        let part = Array(vector.plaintext.bytes.prefix(count))

        let encrypted = try AES.encryptCFB(part, key: vector.key.bytes, iv: vector.iv.bytes)
        #expect(encrypted == Array(vector.ciphertext.bytes.prefix(count)))
        #expect(try AES.decryptCFB(encrypted, key: vector.key.bytes, iv: vector.iv.bytes) == part)
    }

    @Test(arguments: vectors(SealVector.self, "crypto/gcm.json"))
    func `GCM is that of its authors in both directions`(_ vector: SealVector) throws {
        let (key, nonce, associated) = (vector.key.bytes, vector.nonce.bytes, vector.associated.bytes)
        let expected = AES.Sealed(ciphertext: vector.ciphertext.bytes, tag: vector.tag.bytes)

        let sealed = try AES.sealGCM(
            vector.plaintext.bytes, key: key, nonce: nonce, authenticating: associated)
        let opened = try AES.openGCM(expected, key: key, nonce: nonce, authenticating: associated)
        #expect(sealed == expected)
        #expect(opened == vector.plaintext.bytes)
    }

    @Test func `what was changed does not open`() throws {
        let (key, nonce) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 12))
        let sealed = try AES.sealGCM([1, 2, 3], key: key, nonce: nonce, authenticating: [4])
        let bent = AES.Sealed(
            ciphertext: [sealed.ciphertext[0] ^ 1] + sealed.ciphertext[1...], tag: sealed.tag)
        let short = AES.Sealed(ciphertext: sealed.ciphertext, tag: sealed.tag.dropLast())

        #expect(throws: CryptoError.self) {
            try AES.openGCM(sealed, key: key, nonce: nonce, authenticating: [5])
        }
        #expect(throws: CryptoError.self) {
            try AES.openGCM(bent, key: key, nonce: nonce, authenticating: [4])
        }
        #expect(throws: CryptoError.self) {
            try AES.openGCM(short, key: key, nonce: nonce, authenticating: [4])
        }
    }

    @Test func `a key, an IV or a ciphertext of a wrong size is an error`() {
        let (key, iv) = ([UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 16))

        #expect(throws: CryptoError.self) { try AES.encryptCBC([1], key: [1, 2, 3], iv: iv) }
        #expect(throws: CryptoError.self) { try AES.encryptCBC([1], key: key, iv: [1]) }
        #expect(throws: CryptoError.self) { try AES.decryptCBC([1], key: key, iv: iv) }
        #expect(throws: CryptoError.self) { try AES.encryptCFB([1], key: [1, 2, 3], iv: iv) }
        #expect(throws: CryptoError.self) { try AES.decryptCFB([1], key: key, iv: [1]) }
        #expect(throws: CryptoError.self) { try AES.sealGCM([1], key: key, nonce: iv) }
    }
}
