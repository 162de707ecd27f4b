import Crypto

extension StatementReader {
    /// `id-fido-gen-ce-aaguid`
    static let aaguidExtension = "1.3.6.1.4.1.45724.1.1.4"

    /// Reads something of a certificate; what OpenSSL cannot read is a refusal.
    func read<Value>(
        _ what: String, _ step: Int, _ body: () throws -> Value
    ) throws(WebAuthnRefusal) -> Value {
        do {
            return try body()
        } catch {
            throw refusal(
                .attestationCertificate, step: step, expected: "\(what) that can be read", got: "\(error)")
        }
    }

    func checkVersion(_ certificate: Certificate, step: Int) throws(WebAuthnRefusal) {
        try require(
            certificate.version == 3, .attestationCertificate, step: step,
            expected: "an attestation certificate of version 3", got: "version \(certificate.version)")
    }

    func checkIsNoAuthority(_ certificate: Certificate, step: Int) throws(WebAuthnRefusal) {
        let isAuthority = try read("basic constraints", step) { try certificate.isAuthority() }
        try require(
            isAuthority == false, .attestationCertificate, step: step,
            expected: "basic constraints with CA false",
            got: isAuthority == nil ? "no basic constraints" : "CA true")
    }

    /// The extension need not be there; when it is, it holds the AAGUID of the authenticator data in two OCTET STRINGs.
    func checkAAGUID(
        _ certificate: Certificate, _ aaguid: [UInt8], step: Int
    ) throws(WebAuthnRefusal) {
        let found = try read("extensions", step) { try certificate.extensionValue(Self.aaguidExtension) }
        guard let found else { return }
        try require(
            !found.isCritical, .attestationCertificate, step: step,
            expected: "an AAGUID extension that is not critical", got: "a critical one")
        let value = try read("an AAGUID extension", step) {
            try DERElement(parsing: found.value).of(.octetString).bytes
        }
        try require(
            value == aaguid, .attestationAAGUID, step: step,
            expected: "\(Hex.encode(aaguid)), the AAGUID of the authenticator data, in the certificate",
            got: value.shortHex)
    }
}
