import Crypto

extension MLKEM {
    /// The public half of a key pair.
    package struct EncapsulationKey: Sendable, Equatable {
        package let set: MLKEM
        package let bytes: [UInt8]

        /// - Throws: for another length, and when a coefficient is 3329 or more. Source: FIPS 203 §7.2.
        package init(_ set: MLKEM, _ bytes: [UInt8]) throws {
            try require("a key of \(set.rawValue)", bytes, count: set.encapsulationKeyCount)
            guard hasReducedCoefficients(bytes[..<(384 * set.rank)]) else {
                throw PostQuantumError(
                    description: "a key of \(set.rawValue) with a coefficient of 3329 or more")
            }
            self.set = set
            self.bytes = bytes
        }

        /// The same for bytes that this module made.
        init(made bytes: [UInt8], _ set: MLKEM) {
            self.set = set
            self.bytes = bytes
        }

        /// Tells the owner of the key a secret.
        ///
        /// - Parameter message: 32 random bytes. Source: FIPS 203, algorithms 17 and 20.
        /// - Throws: for another length.
        package func encapsulate(message: [UInt8]) throws -> Encapsulated {
            try require("the message", message, count: MLKEM.messageCount)
            let both = SHA3.bits512(message + SHA3.bits256(bytes))
            let ciphertext = PublicKeyEncryption(set).encrypt(
                message, to: bytes, randomness: Array(both[32...]))
            return Encapsulated(ciphertext: ciphertext, secret: Array(both[..<32]))
        }
    }
}

/// Whether encoded vectors have coefficients below the modulus alone.
func hasReducedCoefficients(_ bytes: ArraySlice<UInt8>) -> Bool {
    withPolynomials(1, of: UInt32.self) { memory in
        bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return true }
            return stride(from: 0, to: bytes.count, by: 384).allSatisfy {
                KEMCoding.read(memory[0], from: start + $0)
            }
        }
    }
}
