/// What an authenticator signs. Source: Web Authentication Level 3 §6.1.
package struct AuthenticatorData: Sendable, Equatable {
    /// As it came; signatures are over these.
    package let bytes: [UInt8]
    /// 32 bytes
    package let rpIDHash: [UInt8]
    package let flags: AuthenticatorFlags
    package let signCount: UInt32
    package let credential: AttestedCredential?
    /// A map, when there are extensions.
    package let extensions: CBOR?
}
