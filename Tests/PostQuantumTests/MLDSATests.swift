import Crypto
import PostQuantum
import Testing

struct MLDSATests {
    struct Vector: Decodable {
        let count: Int
        let seed, context, message, publicDigest, pairDigest, signature: Base64Bytes
    }

    static let seed = [UInt8](0..<32)
    static let message = Array("a message".utf8)

    @Test(arguments: MLDSA.allCases)
    func `keys and signatures are those of the known answers`(_ set: MLDSA) throws {
        let rows = vectors(Vector.self, set.rawValue.lowercased() + ".json")
        #expect(rows.count == 10)
        for row in rows {
            let pair = try MLDSA.SigningKey(set, seed: row.seed.bytes)
            let signature = try pair.sign(row.message.bytes, context: row.context.bytes)

            #expect(Digest.sha256(pair.verificationKey.bytes) == row.publicDigest.bytes, "\(row.count)")
            #expect(Digest.sha256(pair.bytes) == row.pairDigest.bytes, "\(row.count)")
            #expect(signature == row.signature.bytes, "\(row.count)")
            #expect(
                pair.verificationKey.isValid(
                    row.signature.bytes, for: row.message.bytes, context: row.context.bytes))
            #expect(!pair.verificationKey.isValid(row.signature.bytes, for: row.message.bytes + [0]))
        }
    }

    @Test(arguments: MLDSA.allCases)
    func `hedged signatures differ and are valid`(_ set: MLDSA) throws {
        let pair = try MLDSA.SigningKey(set, seed: Self.seed)
        let signatures = try [nil, [UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32)].map {
            try pair.sign(Self.message, randomness: $0)
        }

        #expect(Set(signatures).count == 3)
        for signature in signatures {
            #expect(pair.verificationKey.isValid(signature, for: Self.message))
            #expect(!pair.verificationKey.isValid(signature, for: Self.message, context: [0]))
        }
    }

    @Test(arguments: MLDSA.allCases)
    func `a signature that was changed anywhere is not valid`(_ set: MLDSA) throws {
        let pair = try MLDSA.SigningKey(set, seed: Self.seed)
        let signature = try pair.sign(Self.message)
        let places = [0, 47, signature.count - 1] + stride(from: 63, to: signature.count, by: 101)

        for place in places {
            var bent = signature
            bent[place] ^= 1
            #expect(!pair.verificationKey.isValid(bent, for: Self.message), "byte \(place)")
        }
    }

    /// FIPS 204, algorithm 21: places rise, counts do not fall and do not exceed ω, and what is not used is zero.
    @Test(arguments: MLDSA.allCases)
    func `hints have one spelling`(_ set: MLDSA) throws {
        let pair = try MLDSA.SigningKey(set, seed: Self.seed)
        let signature = try pair.sign(Self.message)
        let (most, rows) = set == .mldsa65 ? (55, 6) : (75, 8)
        let start = signature.count - most - rows
        func changed(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
            var bytes = signature
            change(&bytes)
            return bytes
        }

        try #require(signature[start + most] >= 2, "the first polynomial has two hints")
        try #require(signature[signature.count - 1] < most, "there is room")
        let spelledOtherwise = [
            changed { $0.swapAt(start, start + 1) }, changed { $0[start + 1] = $0[start] },
            changed { $0[start + most - 1] = 1 }, changed { $0[$0.count - 1] = UInt8(most + 1) },
            changed { $0[start + most] = $0[start + most + 1] + 1 },
        ]
        for bytes in spelledOtherwise {
            #expect(!pair.verificationKey.isValid(bytes, for: Self.message))
        }
    }

    @Test(arguments: MLDSA.allCases)
    func `every other length is refused`(_ set: MLDSA) throws {
        let pair = try MLDSA.SigningKey(set, seed: Self.seed)
        let signature = try pair.sign(Self.message)
        func changed(_ bytes: [UInt8]) -> [[UInt8]] { [[], Array(bytes.dropLast()), bytes + [0]] }

        for bytes in changed(Self.seed) {
            #expect(throws: PostQuantumError.self) { try MLDSA.SigningKey(set, seed: bytes) }
            #expect(throws: PostQuantumError.self) { try pair.sign(Self.message, randomness: bytes) }
        }
        for bytes in changed(pair.verificationKey.bytes) {
            #expect(throws: PostQuantumError.self) { try MLDSA.VerificationKey(set, bytes) }
        }
        for bytes in changed(signature) {
            #expect(!pair.verificationKey.isValid(bytes, for: Self.message))
        }
    }

    /// FIPS 204, algorithm 2.
    @Test(arguments: MLDSA.allCases)
    func `a context has 255 bytes at the most`(_ set: MLDSA) throws {
        let pair = try MLDSA.SigningKey(set, seed: Self.seed)
        let (longest, longer) = ([UInt8](repeating: 1, count: 255), [UInt8](repeating: 1, count: 256))
        let signature = try pair.sign(Self.message, context: longest)

        #expect(pair.verificationKey.isValid(signature, for: Self.message, context: longest))
        #expect(!pair.verificationKey.isValid(signature, for: Self.message, context: longer))
        #expect(throws: PostQuantumError.self) { try pair.sign(Self.message, context: longer) }
    }
}
