import Crypto
import Essentials

extension AttestationFormat {
    /// Source: Web Authentication Level 3 §8.5; Android developers, “SafetyNet Attestation API”.
    /// How old the answer is, is not looked at: the service is no more.
    static func verifySafetyNet(
        _ statement: CBOR, _ subject: AttestationSubject
    ) throws(WebAuthnRefusal) -> AttestationEvidence {
        // Step 1: the members.
        let reader = try StatementReader(statement, "§8.5")
        try reader.require(
            !(try reader.text("ver")).isEmpty, .attestationStatement, step: 1, expected: "a version",
            got: "none")
        // Step 2: the response is a JWS.
        let token = try SafetyNetToken(try reader.bytes("response"), reader)
        // Step 3: the nonce.
        let nonce = Base64.encode(Digest.sha256(subject.signed))
        try reader.require(
            token.payload["nonce"]?.string == nonce, .attestationNonce, step: 3,
            expected: "the nonce \(nonce)",
            got: token.payload["nonce"]?.text.shortened ?? "none")
        // Step 4: it came from the service, and the device passed.
        try checkHost(token.path[0], reader)
        try token.checkSignature(reader)
        try reader.require(
            token.payload["ctsProfileMatch"]?.boolean == true, .attestationProperties, step: 4,
            expected: "ctsProfileMatch true", got: token.payload["ctsProfileMatch"]?.text.shortened ?? "none")
        return AttestationEvidence(.androidSafetyNet, .basic, trustPath: token.path)
    }

    private static func checkHost(
        _ certificate: Certificate, _ reader: StatementReader
    ) throws(WebAuthnRefusal) {
        let host = "attest.android.com"
        let names = try reader.read("names", 4) { () -> [String] in
            let common = try certificate.subject.filter { $0.type == NameAttribute.commonName }.map(\.value)
            return try common
                + (certificate.subjectAlternativeNames() ?? []).compactMap {
                    if case .dns(let name) = $0 { name } else { nil }
                }
        }
        try reader.require(
            names.contains(host), .attestationCertificate, step: 4, expected: "a certificate of \(host)",
            got: Checklist.list(names.map(\.shortened)))
    }
}
