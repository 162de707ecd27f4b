/// The part of authenticator data that a new credential is. Source: Web Authentication Level 3 §6.5.1.
package struct AttestedCredential: Sendable, Equatable {
    /// 16 bytes
    package let aaguid: [UInt8]
    package let id: [UInt8]
    package let publicKey: COSEKey
}
