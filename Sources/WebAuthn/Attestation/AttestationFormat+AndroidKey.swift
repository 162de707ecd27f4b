import Crypto

extension AttestationFormat {
    /// Source: Web Authentication Level 3 §8.4.
    static func verifyAndroidKey(
        _ statement: CBOR, _ subject: AttestationSubject
    ) throws(WebAuthnRefusal) -> AttestationEvidence {
        // Step 1: the members.
        let reader = try StatementReader(statement, "§8.4")
        let (algorithm, signature) = (try reader.algorithm(), try reader.bytes("sig"))
        let path = try reader.certificates()
        // Step 2: the signature.
        try checkNotRS1(reader, algorithm)
        try reader.check(signature, of: subject.signed, by: path[0], algorithm, step: 2)
        // Step 3: the key in the certificate is that of the credential.
        try reader.checkSameKey(path[0], subject.credential, step: 3)
        // Steps 4 and 5: the challenge, and what the key may be used for.
        let found = try reader.read("a key description (1.3.6.1.4.1.11129.2.1.17)", 4) {
            try path[0].extensionValue(AndroidKeyDescription.extensionType).map {
                try AndroidKeyDescription($0.value)
            }
        }
        guard let found else {
            throw reader.refusal(
                .attestationCertificate, step: 4,
                expected: "a key description (1.3.6.1.4.1.11129.2.1.17) in the certificate", got: "none")
        }
        try reader.require(
            constantTimeEqual(found.challenge, subject.clientDataHash), .attestationNonce, step: 4,
            expected:
                "the hash of client data, \(Hex.encode(subject.clientDataHash)), as attestationChallenge",
            got: found.challenge.shortHex)
        let warnings = try check(found, reader)
        return AttestationEvidence(.androidKey, .basic, trustPath: path, warnings: warnings)
    }

    private static func check(
        _ description: AndroidKeyDescription, _ reader: StatementReader
    ) throws(WebAuthnRefusal) -> [WebAuthnRefusal] {
        try reader.require(
            !description.isForAllApplications, .attestationProperties, step: 5,
            expected: "no allApplications", got: "a key that all applications may use")
        let (origins, purposes) = (description.origins, description.purposes)
        // Absent values are let pass: the standard's own example has none.
        let expected = ["origin 0 (generated)", "purpose 2 (sign)"]
        try reader.require(
            origins.allSatisfy { $0 == 0 }, .attestationProperties, step: 5, expected: expected[0],
            got: "\(origins)")
        try reader.require(
            purposes.isEmpty || purposes.contains(2), .attestationProperties, step: 5, expected: expected[1],
            got: "\(purposes)")
        return [(origins.isEmpty, expected[0]), (purposes.isEmpty, expected[1])].filter(\.0).map {
            reader.refusal(.attestationProperties, step: 5, expected: $0.1, got: "nothing about it")
        }
    }
}
