import Crypto

extension MLDSA {
    /// The public half of a key pair.
    package struct VerificationKey: Sendable, Equatable {
        package let set: MLDSA
        package let bytes: [UInt8]

        /// - Throws: for another length; every byte string of the right one is a key.
        package init(_ set: MLDSA, _ bytes: [UInt8]) throws {
            try require("a key of \(set.rawValue)", bytes, count: set.verificationKeyCount)
            self.set = set
            self.bytes = bytes
        }

        /// The same for bytes that this module made.
        init(made bytes: [UInt8], _ set: MLDSA) {
            self.set = set
            self.bytes = bytes
        }

        /// Whether `signature` is this key's for `message`; one of another length, or with a context that is too long, is not. Source: FIPS 204,
        /// algorithms 3 and 8.
        package func isValid(_ signature: [UInt8], for message: [UInt8], context: [UInt8] = []) -> Bool {
            guard signature.count == set.signatureCount,
                let framed = try? MLDSA.framed(message, context: context)
            else { return false }
            return Verification(set, bytes).isValid(signature, for: framed)
        }
    }
}
