import Crypto

/// Writes the statement of a new credential that an authority stands behind. Source: Web Authentication Level 3 §8.
struct AttestationWriter {
    let authenticator: SoftwareAuthenticator
    let authority: AttestationAuthority
    let subject: AttestationSubject
    let credential: SoftwareCredential

    func has(_ fault: AttestationFault) -> Bool { authenticator.behaviour.attestationFault == fault }

    /// The certificate of `key` and the root.
    func path(
        for key: PublicKey, subject: [NameAttribute], _ extensions: AttestationAuthority.Extensions = []
    ) throws -> [Certificate] {
        let certificate = try authority.issue(
            for: key, subject: subject, extensions,
            // A leading 1 keeps the number positive and its length the same. RFC 5280 §4.1.2.2.
            serialNumber: [1] + authenticator.entropy.bytes(8), isForged: has(.issuer))
        return [certificate, authority.root]
    }

    func batchSignature(of message: [UInt8]) throws -> CBOREntry {
        CBOREntry(.text("sig"), .bytes(try authenticator.sign(message, authority.batchKey, .es256)))
    }

    /// One bit of it is wrong when the statement shall be about another ceremony.
    func nonce(_ right: [UInt8]) -> [UInt8] {
        has(.nonce) ? right.dropLast() + right.suffix(1).map { $0 ^ 1 } : right
    }

    /// The key that the statement is about.
    var attestedKey: PublicKey {
        has(.key) ? authority.batchKey.publicKey : credential.key.publicKey
    }

    static func algorithm(_ algorithm: COSEAlgorithm) -> CBOREntry {
        CBOREntry(.text("alg"), CBOR(algorithm.rawValue))
    }

    static func certificates(_ path: [Certificate]) -> CBOREntry {
        CBOREntry(.text("x5c"), .array(path.map { .bytes($0.der) }))
    }

    static let maker = NameAttribute(NameAttribute.organization, "Understudy")

    /// §8.2 and §8.2.1
    func packed() throws -> CBOR {
        let unit = has(.certificate) ? "Authenticator" : "Authenticator Attestation"
        let named = has(.aaguid) ? subject.credential.aaguid.map { $0 ^ 1 } : subject.credential.aaguid
        let path = try path(
            for: authority.batchKey.publicKey,
            subject: [
                NameAttribute(NameAttribute.country, "AQ"), Self.maker,
                NameAttribute(NameAttribute.organizationalUnit, unit),
                NameAttribute(NameAttribute.commonName, "Understudy software authenticator"),
            ],
            [
                (
                    type: StatementReader.aaguidExtension,
                    value: Certificate.Extension(isCritical: false, value: DER.octetString(named))
                )
            ])
        return .map([
            Self.algorithm(.es256), try batchSignature(of: subject.signed), Self.certificates(path),
        ])
    }

    /// §8.6: there is room for one certificate. Source of the message: FIDO U2F Raw Message Formats §4.3.
    func fidoU2F() throws -> CBOR {
        let path = try path(
            for: authority.batchKey.publicKey,
            subject: [NameAttribute(NameAttribute.commonName, "Understudy U2F key")])
        let point = try credential.key.publicKey.x962()
        let message = [0] + subject.data.rpIDHash + subject.clientDataHash + credential.id + point
        return .map([try batchSignature(of: message), Self.certificates(Array(path.prefix(1)))])
    }

    /// §8.8. The subject is as Apple's are: a hash, and the unit of its CA.
    func apple() throws -> CBOR {
        let hash = Hex.encode(Digest.sha256(try attestedKey.der()))
        let content = nonce(Digest.sha256(subject.signed))
        let value = DER.sequence([DER.element(.context(1), DER.octetString(content))])
        let path = try path(
            for: attestedKey,
            subject: [
                NameAttribute(NameAttribute.commonName, hash),
                NameAttribute(NameAttribute.organizationalUnit, "AAA Certification"), Self.maker,
            ],
            [
                (
                    type: AttestationFormat.appleNonceExtension,
                    value: Certificate.Extension(isCritical: false, value: value)
                )
            ])
        return .map([Self.certificates(path)])
    }
}
