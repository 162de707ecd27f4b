import Crypto

extension AttestationFormat {
    /// The nonce of an anonymous attestation, in a certificate of Apple's.
    static let appleNonceExtension = "1.2.840.113635.100.8.2"

    /// Source: Web Authentication Level 3 §8.8.
    static func verifyApple(
        _ statement: CBOR, _ subject: AttestationSubject
    ) throws(WebAuthnRefusal) -> AttestationEvidence {
        // Step 1: the members. Some versions send an `alg` too, which means nothing.
        let reader = try StatementReader(statement, "§8.8")
        let path = try reader.certificates()
        // Steps 2 to 4: the nonce in the certificate.
        let nonce = Digest.sha256(subject.signed)
        let found = try reader.read("a nonce extension (\(appleNonceExtension))", 4) { () -> [UInt8]? in
            guard let value = try path[0].extensionValue(appleNonceExtension)?.value else { return nil }
            let parts = try DERElement(parsing: value).of(.sequence).children()
            let inner = try parts.first { $0.tag == .context(1) }?.children().first
            return try inner?.of(.octetString).bytes
        }
        try reader.require(
            found.map { constantTimeEqual($0, nonce) } == true, .attestationNonce, step: 4,
            expected: "the nonce \(Hex.encode(nonce)) in the certificate", got: found?.shortHex ?? "none")
        // Step 5: the key in the certificate is that of the credential.
        try reader.checkSameKey(path[0], subject.credential, step: 5)
        return AttestationEvidence(.apple, .anonymizationCA, trustPath: path)
    }
}
