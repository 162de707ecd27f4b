import Crypto
import Testing

struct EncryptionTests {
    /// Messages that pyca/cryptography encrypted to a key.
    struct Vector: Decodable {
        struct Message: Decodable {
            let message: HexBytes
            let encrypted: HexBytes
        }

        struct Wrong: Decodable {
            let fault: String
            let encrypted: HexBytes
        }

        let name: String
        let privatePEM: String
        let messages: [Message]
        let wrong: [Wrong]
    }

    static let refusal = "decryptPKCS1: not encrypted to this key"
    static let vector = vectors(Vector.self, "crypto/pkcs1-encryption.json")[0]

    @Test func `messages of another implementation are decrypted`() throws {
        let key = try PrivateKey(pem: Self.vector.privatePEM)

        for message in Self.vector.messages {
            #expect(try key.decryptPKCS1(message.encrypted.bytes) == message.message.bytes)
        }
    }

    @Test(arguments: [0, 1, 100, 245])
    func `what is encrypted is decrypted, and is another value each time`(count: Int) throws {
        let key = try PrivateKey(pem: Self.vector.privatePEM)
        let message = [UInt8](repeating: 0, count: count)

        let (one, other) = (
            try key.publicKey.encryptPKCS1(message), try key.publicKey.encryptPKCS1(message)
        )
        #expect(one.count == 256)
        #expect(one != other)
        #expect(try key.decryptPKCS1(one) == message)
    }

    @Test func `whatever is wrong with a ciphertext, the error is the same`() throws {
        let key = try PrivateKey(pem: Self.vector.privatePEM)
        let vector = try #require(Self.vector.messages.last)
        let right = vector.encrypted.bytes
        var bent = right
        bent[255] ^= 1

        for wrong in [[], [1], Array(right.dropLast()), right + [0], Array(repeating: 255, count: 256)] {
            let error = #expect(throws: CryptoError.self) { try key.decryptPKCS1(wrong) }
            #expect(error?.description == Self.refusal)
        }
        for wrong in [bent] + Self.vector.wrong.map(\.encrypted.bytes) {
            do {
                // OpenSSL 3.2 and later, and 3.0 of some distributions, answer wrong padding with random bytes.
                let bytes = try key.decryptPKCS1(wrong)
                #expect(bytes != vector.message.bytes && !bytes.starts(with: Array("message".utf8)))
            } catch {
                #expect("\(error)" == Self.refusal)
            }
        }
    }

    @Test func `a message that is too long, or a key of another kind, is an error`() throws {
        let (rsa, ed) = (try PrivateKey(pem: Self.vector.privatePEM), try PrivateKey.generate(.ed25519))
        let tooLong = [UInt8](repeating: 1, count: 246)

        #expect(throws: CryptoError.self) { try rsa.publicKey.encryptPKCS1(tooLong) }
        #expect(throws: CryptoError.self) { try ed.publicKey.encryptPKCS1([1]) }
        #expect(throws: CryptoError.self) { try ed.decryptPKCS1([1]) }
    }
}
