import Crypto
import Testing

struct DigestTests {
    struct HashVector: Decodable {
        let digest: String
        let message: String
        let hash: String
    }

    struct CodeVector: Decodable {
        let name: String
        let digest: String
        let key: HexBytes
        let message: HexBytes
        let code: HexBytes
    }

    @Test(arguments: vectors(HashVector.self, "crypto/fips180.json"))
    func `hashes are those of FIPS 180`(_ vector: HashVector) throws {
        let digest = try #require(Digest(rawValue: vector.digest))

        #expect(Hex.encode(digest(Array(vector.message.utf8))) == vector.hash)
    }

    @Test(arguments: vectors(CodeVector.self, "crypto/rfc4231.json"))
    func `authentication codes are those of RFC 4231`(_ vector: CodeVector) throws {
        let digest = try #require(Digest(rawValue: vector.digest))

        let code = digest.authenticationCode(of: vector.message.bytes, key: vector.key.bytes)
        #expect(code == vector.code.bytes)
    }

    @Test(arguments: Digest.allCases)
    func `one context gives the codes of RFC 4231 key by key`(_ digest: Digest) throws {
        let hmac = HMAC(digest)
        let vectors = vectors(CodeVector.self, "crypto/rfc4231.json").filter { $0.digest == digest.rawValue }

        for vector in vectors + vectors.reversed() {
            #expect(hmac.code(of: vector.message.bytes, key: vector.key.bytes) == vector.code.bytes)
        }
        #expect(hmac.code(of: [], key: []) == digest.authenticationCode(of: [], key: []))
        #expect(hmac.code(of: [1], key: [2]) == digest.authenticationCode(of: [1], key: [2]))
    }

    @Test func `an empty key authenticates as the standard says`() {
        // hmac.new(b"", b"", "sha256") of Python.
        let expected = "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"

        #expect(Hex.encode(Digest.sha256.authenticationCode(of: [], key: [])) == expected)
    }

    @Test func `a code with one bit changed or one byte less is refused`() throws {
        let vector = try #require(vectors(CodeVector.self, "crypto/rfc4231.json").first)
        func isRight(_ code: [UInt8]) -> Bool {
            Digest.sha256.isAuthenticationCode(code, of: vector.message.bytes, key: vector.key.bytes)
        }

        #expect(isRight(vector.code.bytes))
        #expect(!isRight([vector.code.bytes[0] ^ 1] + vector.code.bytes.dropFirst()))
        #expect(!isRight(vector.code.bytes.dropLast()))
    }

    @Test func `two byte strings are equal only when length and content are`() {
        #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
        #expect(constantTimeEqual([], []))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2]))
    }
}
