import Crypto
import Essentials
import Testing
import WebAuthn

/// SafetyNet answers that are made here. Source: Web Authentication Level 3 §8.5.
@Suite struct SafetyNetTests {
    let forge: Forge
    let key: PrivateKey

    init() throws { (forge, key) = (try Forge(), try PrivateKey.generate(.ec(.p256))) }

    func verify(
        host: String = "attest.android.com", algorithm: String = "ES256", profile: JSONValue? = true,
        nonce: String? = nil
    ) throws -> VerifiedRegistration {
        let certificate = try Forge.certificate(
            for: key.publicKey, by: key, subject: [NameAttribute(NameAttribute.commonName, host)])
        let header: JSONValue = ["alg": .string(algorithm), "x5c": [.string(Base64.encode(certificate.der))]]
        var payload: [String: JSONValue] = [
            "nonce": .string(try nonce ?? Base64.encode(Digest.sha256(forge.signed()))), "timestampMs": 1,
        ]
        payload["ctsProfileMatch"] = profile
        let signed = Base64URL.encode(header.bytes) + "." + Base64URL.encode(JSONValue.object(payload).bytes)
        // RFC 7518 §3.4: r and s one after the other, as the key makes it.
        let token = signed + "." + Base64URL.encode(try key.sign(Array(signed.utf8), with: .es256))
        return try forge.verify(
            "android-safetynet",
            Forge.map([("ver", .text("1")), ("response", .bytes(Array(token.utf8)))]))
    }

    func refusal(_ body: () throws -> VerifiedRegistration) -> WebAuthnRefusal? {
        #expect(throws: WebAuthnRefusal.self) { try body() }
    }

    @Test func `an answer of the service is accepted`() throws {
        #expect(try verify().attestation.format == .androidSafetyNet)
    }

    @Test func `host, profile, nonce and algorithm must be right`() {
        let host = refusal { try verify(host: "attest.android.com.example") }
        #expect(host?.expected == "a certificate of attest.android.com")
        #expect(host?.step == "§8.5 step 4")
        #expect(refusal { try verify(profile: false) }?.expected == "ctsProfileMatch true")
        #expect(refusal { try verify(profile: nil) }?.got == "none")
        #expect(refusal { try verify(nonce: "AAAA") }?.check == .attestationNonce)
        #expect(refusal { try verify(algorithm: "none") }?.check == .attestationAlgorithm)
        #expect(refusal { try verify(algorithm: "RS256") }?.check == .attestationSignature)
    }
}
