import Crypto
import Essentials
import Testing
import WebAuthn

@Suite struct VectorTests {
    /// What is odd in three of them.
    static let warnings: [String: [WebAuthnCheck]] = [
        "py_webauthn/tpm/surface_pro_4/reg": [.base64],
        "py_webauthn/tpm/lenovo_carbon_x1/reg": [.base64],
        "w3c-l3/android-key-es256/reg": [.attestationProperties, .attestationProperties],
    ]

    @Test(arguments: Vector.registrations)
    func `published registrations are verified`(_ vector: Vector) throws {
        let registration = try vector.register()

        #expect(registration.attestation.format.rawValue == vector.expect.fmt)
        #expect(Base64URL.encode(registration.credentialID) == vector.expect.credentialId)
        #expect(Base64URL.encode(registration.publicKey.bytes) == vector.expect.credentialPublicKey)
        #expect(registration.publicKey.algorithm.rawValue == vector.expect.coseAlg)
        #expect(Hex.encode(registration.aaguid) == vector.expect.aaguid)
        #expect(registration.flags.rawValue == vector.expect.flags)
        #expect(registration.signCount == vector.expect.signCount)
        #expect(registration.origin == vector.origin)
        #expect(registration.warnings.map(\.check) == (Self.warnings[vector.id] ?? []))
    }

    @Test(arguments: Vector.authentications)
    func `published authentications are verified, and the invalid one is not`(_ vector: Vector) throws {
        let record = try #require(vector.record)
        var request = vector.authenticationRequest
        request.userHandle = record.userHandle

        func verify() throws -> VerifiedAuthentication {
            try request.verify(vector.credential.bytes, at: Vector.now) { $0 == record.id ? record : nil }
        }
        guard vector.expect.result == "valid" else {
            let refusal = #expect(throws: WebAuthnRefusal.self) { try verify() }
            #expect(refusal?.check == .signature)
            return
        }
        let authentication = try verify()
        #expect(authentication.flags.rawValue == vector.expect.flags)
        #expect(authentication.signCount == vector.expect.signCount)
        #expect(authentication.record.signCount == vector.expect.signCount)
        #expect(authentication.userHandle == record.userHandle)
        #expect(authentication.warnings.isEmpty)
    }

    @Test func `there are 36 registrations and 20 authentications`() {
        #expect(Vector.registrations.count == 36)
        #expect(Vector.authentications.count == 20)
    }

    @Test(arguments: Vector.registrations.filter { $0.id.hasPrefix("w3c") })
    func `attestations of the standard's examples lead to its root`(_ vector: Vector) throws {
        let anchor = try Certificate(der: try #require(Vector.trustAnchor))
        var request = vector.registrationRequest
        request.attestation = AttestationPolicy(anchors: [anchor])
        let registration = try vector.register(request)

        switch registration.attestation.type {
        case .none: #expect(registration.trust == .none)
        case .selfAttestation: #expect(registration.trust == .selfAttested)
        default:
            guard case .trusted(let path) = registration.trust else {
                Issue.record("\(registration.trust)")
                return
            }
            #expect(path.last == anchor)
        }
    }

    @Test func `an attestation that leads elsewhere is untrusted, and refused where trust is required`()
        throws
    {
        let vector = Vector.named("go-webauthn/packed/packed-479/reg")
        var request = vector.registrationRequest
        request.attestation.anchors = [try Certificate(der: try #require(Vector.trustAnchor))]

        guard case .untrusted = try vector.register(request).trust else {
            Issue.record("trusted")
            return
        }
        request.attestation.requiresTrust = true
        let refusal = #expect(throws: WebAuthnRefusal.self) { try vector.register(request) }
        #expect(refusal?.check == .attestationTrust)
        #expect(refusal?.step == "§7.1 step 25")
        request.tolerated = [.attestationTrust]
        #expect(try vector.register(request).warnings.map(\.check) == [.attestationTrust])
    }
}
