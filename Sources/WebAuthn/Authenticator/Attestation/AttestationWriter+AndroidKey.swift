import Crypto

/// Source: Android developers, “Key and ID attestation”, schema of the certificate extension; the numbers of tags and values are those of
/// KeyMint, `hardware/interfaces/security/keymint/aidl`.
extension AttestationWriter {
    /// §8.4: the credential signs for itself, and its certificate says what kind of key it is.
    func androidKey() throws -> CBOR {
        let (key, algorithm) =
            has(.key)
            ? (authority.batchKey, COSEAlgorithm.es256) : (credential.key, credential.algorithm)
        let description = try keyDescription(algorithm)
        let path = try path(
            for: key.publicKey,
            subject: [NameAttribute(NameAttribute.commonName, "Android Keystore Key")],
            [
                (
                    type: AndroidKeyDescription.extensionType,
                    value: Certificate.Extension(isCritical: false, value: description)
                )
            ])
        let signature = try authenticator.sign(subject.signed, key, algorithm)
        return .map([
            Self.algorithm(algorithm), CBOREntry(.text("sig"), .bytes(signature)), Self.certificates(path),
        ])
    }

    /// Keymaster 4.0 in a trusted environment, and version 3 of the description, which belongs to it.
    private func keyDescription(_ algorithm: COSEAlgorithm) throws -> [UInt8] {
        let level = DER.element(.enumerated, [1])
        let software = has(.properties) ? [Self.field(600, Self.null)] : []
        return DER.sequence([
            DER.unsigned([3]), level, DER.unsigned([4]), level,
            DER.octetString(nonce(subject.clientDataHash)), DER.octetString([]), DER.sequence(software),
            DER.sequence(Self.authorizations(algorithm)),
        ])
    }

    /// `AuthorizationList` of the trusted environment: a key for signatures alone that was generated in it, on a locked phone.
    private static func authorizations(_ algorithm: COSEAlgorithm) -> [[UInt8]] {
        let isRSA = algorithm == .rs256 || algorithm == .ps256
        let purpose = field(1, DER.set([DER.unsigned([2])]))
        let kind = field(2, DER.unsigned([isRSA ? 1 : 3]))
        let parameters: [[UInt8]] =
            switch algorithm {
            case .rs256: [size(2048), digest(4), padding(5), exponent]
            case .ps256: [size(2048), digest(4), padding(3), exponent]
            case .es384: [size(384), digest(5), curve(2)]
            case .es512: [size(521), digest(6), curve(3)]
            case .eddsa: [size(256), digest(0), curve(4)]
            default: [size(256), digest(4), curve(1)]
            }
        return [purpose, kind] + parameters + [field(503, null), field(702, DER.unsigned([0])), rootOfTrust]
    }

    private static func size(_ bits: Int) -> [UInt8] {
        field(3, DER.unsigned([UInt8(bits >> 8), UInt8(bits & 0xFF)]))
    }
    private static func digest(_ number: UInt8) -> [UInt8] { field(5, DER.set([DER.unsigned([number])])) }
    private static func padding(_ number: UInt8) -> [UInt8] { field(6, DER.set([DER.unsigned([number])])) }
    private static func curve(_ number: UInt8) -> [UInt8] { field(10, DER.unsigned([number])) }
    private static let exponent = field(200, DER.unsigned([1, 0, 1]))

    /// `verifiedBootKey`, `deviceLocked`, `verifiedBootState` (Verified) and `verifiedBootHash`.
    private static let rootOfTrust = field(
        704,
        DER.sequence([
            DER.octetString(Digest.sha256(Array("Understudy boot key".utf8))), DER.element(.boolean, [0xFF]),
            DER.element(.enumerated, [0]), DER.octetString(Digest.sha256(Array("Understudy boot".utf8))),
        ]))

    private static let null = DER.element(DERTag(.universal, 5), [])

    private static func field(_ number: Int, _ value: [UInt8]) -> [UInt8] {
        DER.element(.context(number), value)
    }
}
