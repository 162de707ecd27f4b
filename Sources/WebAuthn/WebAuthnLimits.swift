/// Limits on what a client may send.
package enum WebAuthnLimits {
    /// Bytes of a credential id. Source: Web Authentication Level 3 §5.1.
    package static let credentialID = 1023
}
