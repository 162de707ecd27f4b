import Crypto
import PostQuantum
import Testing

struct MLKEMTests {
    struct Vector: Decodable {
        let count: Int
        let seed, message, publicDigest, pairDigest, ciphertextDigest, secret: Base64Bytes
        let foreignCiphertext, foreignSecret: Base64Bytes
    }

    static let seed = [UInt8](0..<64)
    static let message = [UInt8](100..<132)

    @Test(arguments: MLKEM.allCases)
    func `keys, ciphertexts and secrets are those of the known answers`(_ set: MLKEM) throws {
        let rows = vectors(Vector.self, set.rawValue.lowercased() + ".json")
        #expect(rows.count == 100)
        for row in rows {
            let pair = try MLKEM.DecapsulationKey(set, seed: row.seed.bytes)
            let told = try pair.encapsulationKey.encapsulate(message: row.message.bytes)

            #expect(Digest.sha256(pair.encapsulationKey.bytes) == row.publicDigest.bytes, "\(row.count)")
            #expect(Digest.sha256(pair.bytes) == row.pairDigest.bytes, "\(row.count)")
            #expect(Digest.sha256(told.ciphertext) == row.ciphertextDigest.bytes, "\(row.count)")
            #expect(told.secret == row.secret.bytes, "\(row.count)")
            #expect(try pair.decapsulate(told.ciphertext) == row.secret.bytes, "\(row.count)")
            // FIPS 203 §6.3, implicit rejection.
            #expect(
                try pair.decapsulate(row.foreignCiphertext.bytes) == row.foreignSecret.bytes, "\(row.count)")
        }
    }

    @Test(arguments: MLKEM.allCases)
    func `an expanded key pair is read back`(_ set: MLKEM) throws {
        let pair = try MLKEM.DecapsulationKey(set, seed: Self.seed)

        #expect(try MLKEM.DecapsulationKey(set, expanded: pair.bytes) == pair)
        #expect(try MLKEM.EncapsulationKey(set, pair.encapsulationKey.bytes) == pair.encapsulationKey)
    }

    @Test(arguments: MLKEM.allCases)
    func `every other length is refused`(_ set: MLKEM) throws {
        let pair = try MLKEM.DecapsulationKey(set, seed: Self.seed)
        let told = try pair.encapsulationKey.encapsulate(message: Self.message)
        func changed(_ bytes: [UInt8]) -> [[UInt8]] { [[], Array(bytes.dropLast()), bytes + [0]] }

        for bytes in changed(Self.seed) {
            #expect(throws: PostQuantumError.self) { try MLKEM.DecapsulationKey(set, seed: bytes) }
        }
        for bytes in changed(pair.bytes) {
            #expect(throws: PostQuantumError.self) { try MLKEM.DecapsulationKey(set, expanded: bytes) }
        }
        for bytes in changed(pair.encapsulationKey.bytes) {
            #expect(throws: PostQuantumError.self) { try MLKEM.EncapsulationKey(set, bytes) }
        }
        for bytes in changed(Self.message) {
            #expect(throws: PostQuantumError.self) { try pair.encapsulationKey.encapsulate(message: bytes) }
        }
        for bytes in changed(told.ciphertext) {
            #expect(throws: PostQuantumError.self) { try pair.decapsulate(bytes) }
        }
    }

    /// FIPS 203 §7.2: coefficients of 12 bits, two in three bytes.
    @Test(arguments: MLKEM.allCases)
    func `a key with a coefficient of 3329 is refused, one of 3328 is not`(_ set: MLKEM) throws {
        var bytes = try MLKEM.DecapsulationKey(set, seed: Self.seed).encapsulationKey.bytes

        (bytes[0], bytes[1]) = (0x00, bytes[1] & 0xF0 | 0xD)
        #expect(throws: Never.self) { try MLKEM.EncapsulationKey(set, bytes) }
        bytes[0] = 0x01
        #expect(throws: PostQuantumError.self) { try MLKEM.EncapsulationKey(set, bytes) }
    }

    /// FIPS 203 §7.3.
    @Test(arguments: MLKEM.allCases)
    func `a key pair whose parts do not belong together is refused`(_ set: MLKEM) throws {
        let pair = try MLKEM.DecapsulationKey(set, seed: Self.seed)
        let secretCount = pair.bytes.count - pair.encapsulationKey.bytes.count - 64

        for place in [secretCount + 800, pair.bytes.count - 64, pair.bytes.count - 33] {
            var bytes = pair.bytes
            bytes[place] ^= 1
            #expect(throws: PostQuantumError.self) { try MLKEM.DecapsulationKey(set, expanded: bytes) }
        }
    }

    @Test(arguments: MLKEM.allCases)
    func `a ciphertext that was changed tells another secret`(_ set: MLKEM) throws {
        let pair = try MLKEM.DecapsulationKey(set, seed: Self.seed)
        let told = try pair.encapsulationKey.encapsulate(message: Self.message)

        for place in stride(from: 0, to: told.ciphertext.count, by: 97) {
            var ciphertext = told.ciphertext
            ciphertext[place] ^= 0x10
            #expect(try pair.decapsulate(ciphertext) != told.secret)
        }
    }
}
