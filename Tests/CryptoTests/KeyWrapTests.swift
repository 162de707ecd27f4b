import Crypto
import Testing

struct KeyWrapTests {
    struct Vector: Decodable {
        let section: String
        let wrappingKey: HexBytes
        let key: HexBytes
        let wrapped: HexBytes
    }

    @Test(arguments: vectors(Vector.self, "crypto/rfc3394.json"))
    func `keys are wrapped and unwrapped as in RFC 3394`(_ vector: Vector) throws {
        #expect(try AES.wrap(vector.key.bytes, by: vector.wrappingKey.bytes) == vector.wrapped.bytes)
        #expect(try AES.unwrap(vector.wrapped.bytes, by: vector.wrappingKey.bytes) == vector.key.bytes)
    }

    @Test(arguments: vectors(Vector.self, "crypto/rfc3394.json"))
    func `a wrapped key that was changed, or another wrapping key, is an error`(_ vector: Vector) {
        var otherKey = vector.wrappingKey.bytes
        otherKey[0] ^= 1

        for place in vector.wrapped.bytes.indices {
            var bent = vector.wrapped.bytes
            bent[place] ^= 0x80
            #expect(throws: CryptoError.self) { try AES.unwrap(bent, by: vector.wrappingKey.bytes) }
        }
        #expect(throws: CryptoError.self) { try AES.unwrap(vector.wrapped.bytes, by: otherKey) }
    }

    @Test(arguments: [0, 1, 8, 15, 17, 23, 25])
    func `a size that cannot be wrapped or unwrapped is an error`(count: Int) {
        let (key, bytes) = ([UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: count))

        #expect(throws: CryptoError.self) { try AES.wrap(bytes, by: key) }
        #expect(throws: CryptoError.self) { try AES.unwrap(bytes, by: key) }
        #expect(throws: CryptoError.self) { try AES.wrap(key, by: bytes) }
    }
}
