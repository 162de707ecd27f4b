import Crypto
import Essentials
import Testing
import WebAuthn

/// Attestation certificates that are not as Web Authentication Level 3 §8.2.1 asks for.
@Suite struct PackedCertificateTests {
    static let aaguid = "1.3.6.1.4.1.45724.1.1.4"
    let forge: Forge
    let maker: PrivateKey

    init() throws { (forge, maker) = (try Forge(), try PrivateKey.generate(.ec(.p256))) }

    func verify(_ certificate: Certificate) throws -> VerifiedRegistration {
        let signature = try Forge.sign(forge.signed(), maker)
        return try forge.verify(
            "packed",
            Forge.map([
                ("alg", CBOR(-7)), ("sig", .bytes(signature)), ("x5c", .array([.bytes(certificate.der)])),
            ]))
    }

    func refusal(_ certificate: Certificate) -> WebAuthnRefusal? {
        #expect(throws: WebAuthnRefusal.self) { try verify(certificate) }
    }

    func aaguid(_ bytes: [UInt8], isCritical: Bool = false) -> [(type: String, value: Certificate.Extension)]
    {
        [(Self.aaguid, Certificate.Extension(isCritical: isCritical, value: bytes))]
    }

    @Test func `one as it should be is accepted, with the AAGUID or without`() throws {
        let plain = try Forge.certificate(for: maker.publicKey, by: maker)
        #expect(try verify(plain).attestation.type == .basic)
        let named = try Forge.certificate(
            for: maker.publicKey, by: maker, aaguid(DER.octetString(forge.aaguid)))
        #expect(try verify(named).attestation.trustPath == [named])
        #expect(try verify(named).trust == .unchecked)
    }

    @Test func `an AAGUID that is another, critical or in one OCTET STRING alone is refused`() throws {
        let other = try Forge.certificate(
            for: maker.publicKey, by: maker, aaguid(DER.octetString([UInt8](repeating: 9, count: 16))))
        #expect(refusal(other)?.check == .attestationAAGUID)
        let critical = try Forge.certificate(
            for: maker.publicKey, by: maker, aaguid(DER.octetString(forge.aaguid), isCritical: true))
        #expect(refusal(critical)?.check == .attestationCertificate)
        let bare = try Forge.certificate(for: maker.publicKey, by: maker, aaguid(forge.aaguid))
        #expect(refusal(bare)?.check == .attestationCertificate)
    }

    @Test func `an authority is no attestation certificate`() throws {
        let authority = try Forge.certificate(for: maker.publicKey, by: maker, isAuthority: true)
        #expect(refusal(authority)?.got == "CA true")
    }

    @Test(arguments: [
        (NameAttribute.country, "Sweden"), (NameAttribute.country, nil), (NameAttribute.organization, nil),
        (NameAttribute.organizationalUnit, "authenticator attestation"), (NameAttribute.commonName, nil),
    ])
    func `each part of the subject must be there`(_ type: String, _ value: String?) throws {
        let others = Forge.packedSubject.filter { $0.type != type }
        let subject = others + (value.map { [NameAttribute(type, $0)] } ?? [])
        // OpenSSL reads what it would not write.
        let certificate = try Forge.certificate(for: maker.publicKey, by: maker, subject: subject)
        #expect(refusal(certificate)?.check == .attestationCertificate)
        #expect(refusal(certificate)?.step == "§8.2 step 2")
    }
}
