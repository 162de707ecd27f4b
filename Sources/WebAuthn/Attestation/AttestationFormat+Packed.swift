import Crypto

extension AttestationFormat {
    /// Source: Web Authentication Level 3 §8.2.
    static func verifyPacked(
        _ statement: CBOR, _ subject: AttestationSubject
    ) throws(WebAuthnRefusal) -> AttestationEvidence {
        // Step 1: the members.
        let reader = try StatementReader(statement, "§8.2")
        let (algorithm, signature) = (try reader.algorithm(), try reader.bytes("sig"))
        try reader.require(
            statement["ecdaaKeyId"] == nil, .attestationStatement, step: 1,
            expected: "x5c or self attestation", got: "ecdaaKeyId, which Level 2 removed")
        guard statement["x5c"] != nil else {
            return try verifySelf(reader, algorithm, signature, subject)
        }
        // Step 2: signature, certificate, AAGUID.
        let path = try reader.certificates()
        try checkNotRS1(reader, algorithm)
        try reader.check(signature, of: subject.signed, by: path[0], algorithm, step: 2, about: subject)
        try checkPackedCertificate(reader, path[0])
        try reader.checkAAGUID(path[0], subject.credential.aaguid, step: 2)
        return AttestationEvidence(.packed, .basic, trustPath: path)
    }

    /// Step 3: the credential attests itself.
    private static func verifySelf(
        _ reader: StatementReader, _ algorithm: COSEAlgorithm, _ signature: [UInt8],
        _ subject: AttestationSubject
    ) throws(WebAuthnRefusal) -> AttestationEvidence {
        let key = subject.credential.publicKey
        try reader.require(
            algorithm == key.algorithm, .attestationAlgorithm, step: 3,
            expected: "\(key.algorithm.name), the algorithm of the credential", got: algorithm.name)
        try reader.require(
            key.isValid(signature, for: subject.signed), .attestationSignature, step: 3,
            expected: "a signature by \(algorithm.name) with the key of the credential",
            got: signature.shortHex, finding: subject.finding(on: signature) { key.isValid($0, for: $1) })
        return AttestationEvidence(.packed, .selfAttestation)
    }

    /// §8.2.1
    private static func checkPackedCertificate(
        _ reader: StatementReader, _ certificate: Certificate
    ) throws(WebAuthnRefusal) {
        try reader.checkVersion(certificate, step: 2)
        let subject = try reader.read("a subject", 2) { try certificate.subject }
        func value(_ type: String) -> String? { subject.first { $0.type == type }?.value }
        let country = value(NameAttribute.country)
        try reader.require(
            country?.utf8.count == 2, .attestationCertificate, step: 2,
            expected: "a country of two letters in the subject", got: country?.shortened ?? "none")
        for (type, name) in [
            (NameAttribute.organization, "an organization"), (NameAttribute.commonName, "a common name"),
        ] {
            try reader.require(
                value(type)?.isEmpty == false, .attestationCertificate, step: 2,
                expected: "\(name) in the subject", got: "none")
        }
        let unit = value(NameAttribute.organizationalUnit)
        try reader.require(
            unit == "Authenticator Attestation", .attestationCertificate, step: 2,
            expected: "the organizational unit “Authenticator Attestation”", got: unit?.shortened ?? "none")
        try reader.checkIsNoAuthority(certificate, step: 2)
    }

    /// SHA-1 is for TPMs alone.
    static func checkNotRS1(_ reader: StatementReader, _ algorithm: COSEAlgorithm) throws(WebAuthnRefusal) {
        try reader.require(
            algorithm != .rs1, .attestationAlgorithm, step: 1, expected: "an algorithm other than RS1",
            got: "RS1")
    }
}
