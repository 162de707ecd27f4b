import Crypto

extension AttestationFormat {
    /// `tcg-kp-AIKCertificate`
    static let tpmKeyUsage = "2.23.133.8.3"

    /// Source: Web Authentication Level 3 §8.3.
    static func verifyTPM(
        _ statement: CBOR, _ subject: AttestationSubject
    ) throws(WebAuthnRefusal) -> AttestationEvidence {
        // Step 1: the members.
        let reader = try StatementReader(statement, "§8.3")
        let version = try reader.text("ver")
        try reader.require(
            version == "2.0", .attestationStatement, step: 1, expected: "ver 2.0", got: version.shortened)
        let (algorithm, signature) = (try reader.algorithm(), try reader.bytes("sig"))
        let path = try reader.certificates()
        // Step 2: the key in pubArea is that of the credential.
        let area = try checkPublicArea(try reader.bytes("pubArea"), reader, subject)
        // Steps 3 and 4: certInfo speaks of this key and this ceremony.
        let bytes = try reader.bytes("certInfo")
        try checkCertification(bytes, area, algorithm, reader, subject)
        // Step 5: the signature and the certificate.
        try reader.check(signature, of: bytes, by: path[0], algorithm, step: 5)
        try checkTPMCertificate(path[0], reader)
        try reader.checkAAGUID(path[0], subject.credential.aaguid, step: 5)
        return AttestationEvidence(.tpm, .attestationCA, trustPath: path)
    }

    private static func checkPublicArea(
        _ bytes: [UInt8], _ reader: StatementReader, _ subject: AttestationSubject
    ) throws(WebAuthnRefusal) -> TPMPublicArea {
        let area: TPMPublicArea
        do {
            area = try TPMPublicArea(bytes)
        } catch {
            throw reader.refusal(
                .attestationStatement, step: 2, expected: "a pubArea that can be read", got: "\(error)")
        }
        try reader.require(
            isSame(area.numbers, subject.credential.publicKey.numbers), .attestationKey, step: 2,
            expected: "the key of the credential in pubArea", got: "another key")
        return area
    }

    private static func isSame(_ one: COSEKey.Numbers, _ other: COSEKey.Numbers) -> Bool {
        switch (one, other) {
        case (.rsa(let modulus, let exponent), .rsa(let otherModulus, let otherExponent)):
            modulus == otherModulus && exponent == Array(otherExponent.drop { $0 == 0 })
        default: one == other
        }
    }

    private static func checkCertification(
        _ bytes: [UInt8], _ area: TPMPublicArea, _ algorithm: COSEAlgorithm, _ reader: StatementReader,
        _ subject: AttestationSubject
    ) throws(WebAuthnRefusal) {
        let info: TPMCertification
        do {
            info = try TPMCertification(bytes)
        } catch {
            throw reader.refusal(
                .attestationStatement, step: 4, expected: "a certInfo that can be read", got: "\(error)")
        }
        try reader.require(
            info.magic == TPMCertification.magic, .attestationProperties, step: 4,
            expected: "the magic ff544347 in certInfo", got: TPMPublicArea.bigEndian(info.magic).shortHex)
        try reader.require(
            info.type == TPMCertification.certify, .attestationProperties, step: 4,
            expected: "the type 8017 (certify) in certInfo", got: TPMPublicArea.bigEndian(info.type).shortHex)
        guard let digest = algorithm.scheme.digest else {
            throw reader.refusal(
                .attestationAlgorithm, step: 4, expected: "an algorithm with a hash", got: algorithm.name)
        }
        let extra = digest(subject.signed)
        try reader.require(
            constantTimeEqual(info.extraData, extra), .attestationNonce, step: 4,
            expected: "the extraData \(Hex.encode(extra)) in certInfo", got: info.extraData.shortHex)
        try reader.require(
            info.name == area.name, .attestationKey, step: 4,
            expected: "\(Hex.encode(area.name)), the name of pubArea, in certInfo", got: info.name.shortHex)
    }

    /// §8.3.1
    private static func checkTPMCertificate(
        _ certificate: Certificate, _ reader: StatementReader
    ) throws(WebAuthnRefusal) {
        try reader.checkVersion(certificate, step: 5)
        let subject = try reader.read("a subject", 5) { try certificate.subject }
        try reader.require(
            subject.isEmpty, .attestationCertificate, step: 5, expected: "an empty subject",
            got: "\(subject.count) attributes")
        try checkManufacturer(certificate, reader)
        let usage = try reader.read("an extended key usage", 5) { try certificate.extendedKeyUsage() ?? [] }
        try reader.require(
            usage.contains(tpmKeyUsage), .attestationCertificate, step: 5,
            expected: "the extended key usage \(tpmKeyUsage)", got: Checklist.list(usage))
        try reader.checkIsNoAuthority(certificate, step: 5)
    }

    /// TCG EK Credential Profile §3.2.9: manufacturer, model and version in a directory name. Who the manufacturer is, is policy.
    private static func checkManufacturer(
        _ certificate: Certificate, _ reader: StatementReader
    ) throws(WebAuthnRefusal) {
        let names = try reader.read("a subject alternative name", 5) {
            try certificate.subjectAlternativeNames() ?? []
        }
        let attributes = names.flatMap { name -> [NameAttribute] in
            if case .directory(let attributes) = name { attributes } else { [] }
        }
        func value(_ type: String) -> String? { attributes.first { $0.type == type }?.value }
        let maker = value("2.23.133.2.1")
        let isMaker = maker.map { name in
            name.hasPrefix("id:") && Hex.decode(String(name.dropFirst(3)))?.count == 4
        }
        try reader.require(
            isMaker == true, .attestationCertificate, step: 5,
            expected: "a TPM manufacturer (2.23.133.2.1) such as id:494E5443", got: maker?.shortened ?? "none"
        )
        for (type, what) in [("2.23.133.2.2", "a TPM model"), ("2.23.133.2.3", "a TPM version")] {
            try reader.require(
                value(type)?.isEmpty == false, .attestationCertificate, step: 5,
                expected: "\(what) (\(type))",
                got: "none")
        }
    }
}
