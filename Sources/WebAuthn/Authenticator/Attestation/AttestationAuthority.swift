package import Crypto
package import Essentials

/// A maker of authenticators, for development: a CA, and the key of a batch, which stands in the statements of authenticators whose
/// credentials do not sign for themselves. Source: Web Authentication Level 3 §6.5.3 and §8.2.1.
package struct AttestationAuthority: Sendable {
    package let root: Certificate
    let batchKey: PrivateKey
    private let key: PrivateKey
    private let notBefore: Date
    private let notAfter: Date

    /// - Parameters:
    ///   - key: of the CA, on P-256.
    ///   - root: the certificate of `key`.
    ///   - batchKey: on P-256 as well, which statements in the format `fido-u2f` ask for.
    ///   - notBefore: when the certificates that are issued begin to be valid, until `notAfter`.
    /// - Throws: when the root is not for the key, or one of the keys is on no such curve.
    package init(
        key: PrivateKey, root: Certificate, batchKey: PrivateKey, from notBefore: Date, to notAfter: Date
    ) throws {
        guard try root.publicKey == VerificationKey(key.publicKey) else {
            throw SoftwareAuthenticatorError(.type, "the root is not for the key of the authority")
        }
        guard key.kind == .ec(.p256), batchKey.kind == .ec(.p256) else {
            throw SoftwareAuthenticatorError(.notSupported, "an attestation key that is not on P-256")
        }
        (self.key, self.root, self.batchKey) = (key, root, batchKey)
        (self.notBefore, self.notAfter) = (notBefore, notAfter)
    }

    typealias Extensions = [(type: String, value: Certificate.Extension)]

    /// - Parameter isForged: whether somebody else signs in the name of the CA.
    func issue(
        for key: PublicKey, subject: [NameAttribute], _ extensions: Extensions, serialNumber: [UInt8],
        isForged: Bool
    ) throws -> Certificate {
        try CertificateTemplate(
            subject: subject, serialNumber: serialNumber, notBefore: notBefore, notAfter: notAfter,
            extensions: extensions
        ).issue(for: key, by: isForged ? batchKey : self.key, with: .es256, issuer: root)
    }
}
