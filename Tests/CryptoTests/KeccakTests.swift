import Crypto
import Testing

struct KeccakTests {
    struct Vector: Decodable {
        let function: String
        let message: HexBytes
        let output: HexBytes
    }

    @Test(arguments: vectors(Vector.self, "crypto/fips202.json"))
    func `hashes and outputs are those of NIST's files`(_ vector: Vector) {
        let message = vector.message.bytes
        let output: [UInt8]
        switch vector.function {
        case "SHA3-256": output = SHA3.bits256(message)
        case "SHA3-512": output = SHA3.bits512(message)
        default:
            let shake = SHAKE(vector.function == "SHAKE-128" ? .bits128 : .bits256)
            shake.absorb(message)
            output = shake.squeeze(vector.output.bytes.count)
        }
        #expect(output == vector.output.bytes)
    }

    @Test func `one context takes input after input, in parts of any size`() {
        let shake = SHAKE(.bits256)
        func output(_ absorb: () -> Void) -> [UInt8] {
            absorb()
            return shake.squeeze(200)
        }
        let whole = output { shake.absorb([1, 2, 3, 4]) }

        #expect(output { shake.absorb([1, 2, 3, 5]) } != whole)
        #expect(
            output {
                shake.absorb(1)
                shake.absorb(2, 3)
                [4].withUnsafeBufferPointer(shake.absorb)
            } == whole)
    }

    struct KMACVector: Decodable {
        let sample: Int
        let key, data, output: HexBytes
        let custom: String
    }

    @Test(arguments: vectors(KMACVector.self, "crypto/kmac256.json"))
    func `KMAC-256 is that of NIST's samples`(_ vector: KMACVector) throws {
        let code = try KMAC256.code(
            of: vector.data.bytes, key: vector.key.bytes, custom: vector.custom,
            count: vector.output.bytes.count)

        #expect(code == vector.output.bytes)
    }

    @Test func `a key, a name or a size that KMAC does not have is an error`() {
        let key = [UInt8](repeating: 1, count: 32)

        #expect(throws: CryptoError.self) { try KMAC256.code(of: [], key: [1, 2, 3]) }
        #expect(throws: CryptoError.self) {
            try KMAC256.code(of: [], key: [UInt8](repeating: 1, count: 600))
        }
        #expect(throws: CryptoError.self) {
            try KMAC256.code(of: [], key: key, custom: String(repeating: "x", count: 600))
        }
        #expect(throws: CryptoError.self) { try KMAC256.code(of: [], key: key, count: 0) }
    }
}
