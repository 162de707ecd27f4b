package import Crypto

/// The public key of a credential. Source: RFC 9052 §7, Web Authentication Level 3 §5.8.5 and §6.5.1.1.
package struct COSEKey: Sendable, Equatable {
    /// The numbers of a key, as they stand in it.
    package enum Numbers: Sendable, Equatable {
        case ec(NamedCurve, x: [UInt8], y: [UInt8])
        /// 32 bytes for Ed25519, 57 for Ed448.
        case okp([UInt8])
        case rsa(modulus: [UInt8], exponent: [UInt8])
    }

    package let algorithm: COSEAlgorithm
    package let numbers: Numbers
    package let key: VerificationKey
    /// The COSE_Key as it came.
    package let bytes: [UInt8]

    /// Whether `signature` is this key's for `message`, in the form that WebAuthn gives to its algorithm: DER for ECDSA, as
    /// it is for the others.
    package func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        key.isValid(signature, for: message, by: algorithm.scheme)
    }
}

/// What is wrong with the public key of a credential.
package struct COSEKeyError: Error, Equatable, CustomStringConvertible {
    package let expected: String
    package let got: String

    package var description: String { "expected \(expected), got \(got)" }
}
