package import Crypto
package import Essentials

/// A maker of authenticators, for development: the key and certificate that stand in the statements of a batch, and the certificates
/// above it. Source: Web Authentication Level 3 §8.2.1.
package struct AttestationAuthority: Sendable {
    package let key: PrivateKey
    /// The attestation certificate first.
    package let path: [Certificate]
    let algorithm: COSEAlgorithm

    /// - Parameter path: the certificate of `key`, then those above it; the root may be left out.
    /// - Throws: when the first certificate is not for the key, or the key neither on P-256, nor RSA, nor Ed25519.
    package init(key: PrivateKey, path: [Certificate]) throws {
        guard let leaf = path.first, try leaf.publicKey == VerificationKey(key.publicKey) else {
            throw SoftwareAuthenticatorError(
                .type, "the attestation certificate is not for the attestation key")
        }
        self.key = key
        self.path = path
        algorithm = try Self.algorithm(of: key)
    }

    /// Issues the certificate of a batch by a development CA.
    ///
    /// - Parameters:
    ///   - key: of the batch; a key of its own, so that the CA's can stay elsewhere.
    ///   - aaguid: 16 bytes, which the certificate names.
    ///   - serialNumber: drawn by the caller.
    package static func issue(
        for key: PrivateKey, aaguid: [UInt8], by authorityKey: PrivateKey, _ authority: Certificate,
        serialNumber: [UInt8], from notBefore: Date, to notAfter: Date
    ) throws -> AttestationAuthority {
        let template = CertificateTemplate(
            subject: [
                NameAttribute(NameAttribute.country, "AQ"),
                NameAttribute(NameAttribute.organization, "Understudy"),
                NameAttribute(NameAttribute.organizationalUnit, "Authenticator Attestation"),
                NameAttribute(NameAttribute.commonName, "Understudy software authenticator"),
            ], serialNumber: serialNumber, notBefore: notBefore, notAfter: notAfter,
            extensions: [
                (
                    type: StatementReader.aaguidExtension,
                    value: Certificate.Extension(isCritical: false, value: DER.octetString(aaguid))
                )
            ])
        let certificate = try template.issue(
            for: key.publicKey, by: authorityKey, with: signature(algorithm(of: authorityKey)),
            issuer: authority)
        return try AttestationAuthority(key: key, path: [certificate, authority])
    }

    private static func algorithm(of key: PrivateKey) throws -> COSEAlgorithm {
        switch key.kind {
        case .ec(.p256): .es256
        case .rsa: .rs256
        case .ed25519: .eddsa
        case .ec:
            throw SoftwareAuthenticatorError(.notSupported, "an attestation key on a curve other than P-256")
        }
    }

    private static func signature(_ algorithm: COSEAlgorithm) -> SignatureAlgorithm {
        algorithm == .rs256 ? .rs256 : algorithm == .eddsa ? .eddsa : .es256
    }
}
