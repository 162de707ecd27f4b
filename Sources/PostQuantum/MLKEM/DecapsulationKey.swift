import Crypto

extension MLKEM {
    /// A key pair.
    package struct DecapsulationKey: Sendable, Equatable {
        package let set: MLKEM
        /// The expanded form: secret vector, encapsulation key, its hash, and what takes the place of a secret that was not told.
        package let bytes: [UInt8]
        package let encapsulationKey: EncapsulationKey

        /// Makes the key pair of `seed`: `d` and `z`, 64 random bytes. Source: FIPS 203, algorithm 16.
        ///
        /// - Throws: for another length.
        package init(_ set: MLKEM, seed: [UInt8]) throws {
            try require("the seed", seed, count: MLKEM.seedCount)
            let (encryption, decryption) = PublicKeyEncryption(set).generateKey(Array(seed[..<32]))
            self.set = set
            encapsulationKey = EncapsulationKey(made: encryption, set)
            bytes = decryption + encryption + SHA3.bits256(encryption) + seed[32...]
        }

        /// - Throws: for another length, when a hash is not that of the key, and when a coefficient is 3329 or more. Source: FIPS 203 §7.3.
        package init(_ set: MLKEM, expanded bytes: [UInt8]) throws {
            try require("a key pair of \(set.rawValue)", bytes, count: set.decapsulationKeyCount)
            let secretCount = 384 * set.rank
            let publicEnd = secretCount + set.encapsulationKeyCount
            let encapsulationKey = try EncapsulationKey(set, Array(bytes[secretCount..<publicEnd]))
            guard hasReducedCoefficients(bytes[..<secretCount]),
                SHA3.bits256(encapsulationKey.bytes) == Array(bytes[publicEnd..<(publicEnd + 32)])
            else {
                throw PostQuantumError(
                    description: "a key pair of \(set.rawValue) whose parts do not belong together")
            }
            self.set = set
            self.bytes = bytes
            self.encapsulationKey = encapsulationKey
        }

        /// The secret that `ciphertext` tells. A ciphertext that was not made for this key gives another, which depends on it and on
        /// the key, and takes the same time. Source: FIPS 203, algorithm 18.
        ///
        /// - Throws: for another length. Source: FIPS 203 §7.3.
        package func decapsulate(_ ciphertext: [UInt8]) throws -> [UInt8] {
            try require("a ciphertext of \(set.rawValue)", ciphertext, count: set.ciphertextCount)
            let encryption = PublicKeyEncryption(set)
            let message = encryption.decrypt(ciphertext, with: bytes[..<(384 * set.rank)])
            let both = SHA3.bits512(message + bytes[(bytes.count - 64)..<(bytes.count - 32)])
            let again = encryption.encrypt(
                message, to: encapsulationKey.bytes, randomness: Array(both[32...]))
            let rejection = SHAKE(.bits256)
            rejection.absorb(Array(bytes[(bytes.count - 32)...]))
            rejection.absorb(ciphertext)
            let other = rejection.squeeze(MLKEM.secretCount)
            let mask: UInt8 = constantTimeEqual(ciphertext, again) ? 0xFF : 0
            return zip(both, other).map { $0 & mask | $1 & ~mask }
        }
    }
}
