import Crypto
import Essentials
import Testing
import WebAuthn

/// Android key attestations with a description of the key that is made here. Source: Web Authentication Level 3 §8.4.1.
@Suite struct AndroidKeyTests {
    /// A description of a key, in which one thing may be other than it should be.
    struct Description {
        var challenge: [UInt8]?
        var software: [[UInt8]] = []
        var environment: [[UInt8]] = [Description.purpose(2), Description.origin(0)]

        static func purpose(_ number: UInt8) -> [UInt8] {
            DER.element(.context(1), DER.set([DER.unsigned([number])]))
        }
        static func origin(_ number: UInt8) -> [UInt8] {
            DER.element(.context(702), DER.unsigned([number]))
        }
        static let allApplications = DER.element(.context(600), DER.element(DERTag(.universal, 5), []))

        func der(_ hash: [UInt8]) -> [UInt8] {
            let level = DER.element(.enumerated, [1])
            return DER.sequence([
                DER.unsigned([4]), level, DER.unsigned([41]), level, DER.octetString(challenge ?? hash),
                DER.octetString([]), DER.sequence(software), DER.sequence(environment),
            ])
        }
    }

    func verify(_ description: Description?, other: PrivateKey? = nil) throws -> VerifiedRegistration {
        let forge = try Forge()
        let key = other ?? forge.key
        let value = description?.der(Digest.sha256(forge.clientData))
        let extensions = value.map {
            [(type: "1.3.6.1.4.1.11129.2.1.17", value: Certificate.Extension(isCritical: false, value: $0))]
        }
        let certificate = try Forge.certificate(for: key.publicKey, by: key, extensions ?? [])
        return try forge.verify(
            "android-key",
            Forge.map([
                ("alg", CBOR(-7)), ("sig", .bytes(try Forge.sign(forge.signed(), key))),
                ("x5c", .array([.bytes(certificate.der)])),
            ]))
    }

    func refusal(_ description: Description?, other: PrivateKey? = nil) -> WebAuthnRefusal? {
        #expect(throws: WebAuthnRefusal.self) { try verify(description, other: other) }
    }

    @Test func `a key of the trusted environment that signs is accepted`() throws {
        let registration = try verify(Description())
        #expect(registration.attestation.format == .androidKey)
        #expect(registration.warnings.isEmpty)
    }

    @Test func `the challenge must be the hash of client data`() throws {
        let refusal = refusal(Description(challenge: [UInt8](repeating: 1, count: 32)))
        #expect(refusal?.check == .attestationNonce)
        #expect(refusal?.step == "§8.4 step 4")
        #expect(self.refusal(nil)?.check == .attestationCertificate)
    }

    @Test func `the key must be that of the credential`() throws {
        let refusal = refusal(Description(), other: try PrivateKey.generate(.ec(.p256)))
        #expect(refusal?.check == .attestationKey)
        #expect(refusal?.step == "§8.4 step 3")
    }

    @Test func `a key for all applications, imported, or not for signatures is refused`() throws {
        var all = Description()
        all.software = [Description.allApplications]
        #expect(refusal(all)?.check == .attestationProperties)
        var imported = Description()
        imported.environment = [Description.purpose(2), Description.origin(2)]
        #expect(refusal(imported)?.got == "[2]")
        var decrypts = Description()
        decrypts.environment = [Description.purpose(1), Description.origin(0)]
        #expect(refusal(decrypts)?.got == "[1]")
    }

    @Test func `nothing about origin and purpose is a warning`() throws {
        var silent = Description()
        silent.environment = []
        #expect(try verify(silent).warnings.map(\.check) == [.attestationProperties, .attestationProperties])
    }
}
