import Crypto

extension AttestationFormat {
    /// Source: Web Authentication Level 3 §8.6. AAGUIDs are not compared: keys of that time have none.
    static func verifyFIDOU2F(
        _ statement: CBOR, _ subject: AttestationSubject
    ) throws(WebAuthnRefusal) -> AttestationEvidence {
        // Step 1: the members.
        let reader = try StatementReader(statement, "§8.6")
        let (signature, path) = (try reader.bytes("sig"), try reader.certificates())
        // Step 2: one certificate with a key on P-256.
        try reader.require(
            path.count == 1, .attestationCertificate, step: 2, expected: "one certificate",
            got: "\(path.count)")
        let kind = try reader.key(path[0], step: 2).kind
        try reader.require(
            kind == .ec(.p256), .attestationKey, step: 2, expected: "an attestation key on P-256",
            got: "\(kind)")
        // Steps 3 and 4: the key of the credential, as a point.
        guard case .ec(.p256, let x, let y) = subject.credential.publicKey.numbers else {
            throw reader.refusal(
                .attestationKey, step: 4, expected: "a credential key with x and y of 32 bytes",
                got: "one of \(subject.credential.publicKey.algorithm.name)")
        }
        // Steps 5 and 6: the message of U2F, and its signature.
        let message =
            [0] + subject.data.rpIDHash + subject.clientDataHash + subject.credential.id + [4] + x + y
        try reader.check(signature, of: message, by: path[0], .es256, step: 6)
        return AttestationEvidence(.fidoU2F, .basic, trustPath: path)
    }
}
