/// Limits on what a client may send.
package enum WebAuthnLimits {
    /// Bytes of a credential id. Source: Web Authentication Level 3 §5.1.
    package static let credentialID = 1023
    /// Bytes of JSON that carry one credential.
    package static let credentialJSON = 256 * 1024
    /// Bytes of one CBOR item from outside, with all that is in it.
    package static let cborBytes = 64 * 1024
    /// Levels of arrays and maps; a certificate in a compound statement stands in the fifth.
    package static let cborDepth = 8
    /// Items of CBOR in one, keys and values counted apart.
    package static let cborItems = 1024
    /// Certificates in one attestation statement.
    package static let certificates = 8
    /// Statements in a compound one.
    package static let statements = 8
    /// Bits of an RSA key of a credential.
    package static let rsaBits = 2048...8192
    /// Bytes of the public exponent of an RSA key of a credential.
    package static let rsaExponentBytes = 8
    /// Bytes of a large blob that the software authenticator keeps.
    package static let largeBlob = 4096
}
