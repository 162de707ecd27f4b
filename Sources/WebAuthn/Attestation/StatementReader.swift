import Crypto

/// Reads the members of an attestation statement, and refuses in the name of its section.
struct StatementReader {
    let statement: CBOR
    /// Of Web Authentication Level 3, such as `§8.2`.
    let section: String

    init(_ statement: CBOR, _ section: String) throws(WebAuthnRefusal) {
        (self.statement, self.section) = (statement, section)
        guard statement.map != nil else {
            throw refusal(.attestationStatement, step: 1, expected: "a map", got: statement.summary)
        }
    }

    func refusal(
        _ check: WebAuthnCheck, step: Int, expected: String, got: String, finding: String? = nil
    ) -> WebAuthnRefusal {
        WebAuthnRefusal(
            check, "\(section) step \(step)", expected: expected, got: got, finding: finding)
    }

    func require(
        _ holds: Bool, _ check: WebAuthnCheck, step: Int, expected: @autoclosure () -> String,
        got: @autoclosure () -> String, finding: @autoclosure () -> String? = nil
    ) throws(WebAuthnRefusal) {
        if !holds {
            throw refusal(check, step: step, expected: expected(), got: got(), finding: finding())
        }
    }

    func bytes(_ name: String) throws(WebAuthnRefusal) -> [UInt8] {
        guard let bytes = statement[name]?.bytes else { throw missing("\(name) as bytes", statement[name]) }
        return bytes
    }

    func text(_ name: String) throws(WebAuthnRefusal) -> String {
        guard let text = statement[name]?.text else { throw missing("\(name) as a text", statement[name]) }
        return text
    }

    /// The algorithm of the statement, of those that the house verifies.
    func algorithm() throws(WebAuthnRefusal) -> COSEAlgorithm {
        guard let number = statement["alg"]?.integer else {
            throw missing("alg as an integer", statement["alg"])
        }
        guard let algorithm = COSEAlgorithm(rawValue: number) else {
            throw refusal(
                .attestationAlgorithm, step: 1, expected: "an algorithm that is known", got: "\(number)")
        }
        return algorithm
    }

    /// The attestation certificate and those above it, one at least.
    func certificates() throws(WebAuthnRefusal) -> [Certificate] {
        guard let list = statement["x5c"]?.array, 1...WebAuthnLimits.certificates ~= list.count else {
            throw missing("x5c with 1 to \(WebAuthnLimits.certificates) certificates", statement["x5c"])
        }
        var certificates: [Certificate] = []
        for (index, element) in list.enumerated() {
            guard let der = element.bytes else { throw missing("x5c of bytes", element) }
            do {
                certificates.append(try Certificate(der: der))
            } catch {
                throw refusal(
                    .attestationCertificate, step: 1, expected: "an X.509 certificate at \(index) of x5c",
                    got: "\(error)")
            }
        }
        return certificates
    }

    /// The key of a certificate.
    func key(_ certificate: Certificate, step: Int) throws(WebAuthnRefusal) -> VerificationKey {
        do {
            return try certificate.publicKey
        } catch {
            throw refusal(
                .attestationKey, step: step, expected: "a key that is known in the attestation certificate",
                got: "\(error)")
        }
    }

    /// Checks a signature by the key of the attestation certificate.
    ///
    /// - Parameter subject: whose data are signed, where they are signed as they stand.
    func check(
        _ signature: [UInt8], of signed: [UInt8], by certificate: Certificate, _ algorithm: COSEAlgorithm,
        step: Int, about subject: AttestationSubject? = nil
    ) throws(WebAuthnRefusal) {
        let key = try key(certificate, step: step)
        try require(
            key.isValid(signature, for: signed, by: algorithm.scheme), .attestationSignature, step: step,
            expected: "a signature by \(algorithm.name) with the key of the attestation certificate",
            got: signature.shortHex,
            finding: subject?.finding(on: signature) { key.isValid($0, for: $1, by: algorithm.scheme) })
    }

    func checkSameKey(
        _ certificate: Certificate, _ credential: AttestedCredential, step: Int
    ) throws(WebAuthnRefusal) {
        try require(
            try key(certificate, step: step) == credential.publicKey.key, .attestationKey, step: step,
            expected: "the key of the credential in the attestation certificate", got: "another key")
    }

    private func missing(_ expected: String, _ got: CBOR?) -> WebAuthnRefusal {
        refusal(.attestationStatement, step: 1, expected: expected, got: got?.summary ?? "none")
    }
}
