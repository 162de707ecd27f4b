import Crypto

extension MLDSA {
    /// A key pair. Its expanded form is some 4 KiB; the seed alone is worth keeping.
    package struct SigningKey: Sendable, Equatable {
        package let set: MLDSA
        /// The expanded form of FIPS 204, algorithm 24.
        package let bytes: [UInt8]
        package let verificationKey: VerificationKey

        /// Makes the key pair of 32 random bytes. Source: FIPS 204, algorithm 6.
        ///
        /// - Throws: for another length.
        package init(_ set: MLDSA, seed: [UInt8]) throws {
            try require("the seed", seed, count: MLDSA.seedCount)
            self.set = set
            (bytes, verificationKey) = KeyGeneration(set).keyPair(seed)
        }

        /// The signature of `message`, ``signatureCount`` bytes. Source: FIPS 204, algorithms 2 and 7.
        ///
        /// - Parameter randomness: 32 random bytes for a hedged signature; without them the same message has the same signature.
        /// - Throws: for another length, and for a context of more than 255 bytes.
        package func sign(
            _ message: [UInt8], context: [UInt8] = [], randomness: [UInt8]? = nil
        ) throws -> [UInt8] {
            let randomness = randomness ?? [UInt8](repeating: 0, count: MLDSA.randomnessCount)
            try require("the randomness", randomness, count: MLDSA.randomnessCount)
            return Signing(set, bytes).signature(
                of: try MLDSA.framed(message, context: context), randomness: randomness)
        }
    }
}
