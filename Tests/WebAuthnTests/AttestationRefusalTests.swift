import Crypto
import Essentials
import Testing
import WebAuthn

/// A valid attestation with one thing changed.
@Suite struct AttestationRefusalTests {
    func expect(
        _ check: WebAuthnCheck, _ step: String, in name: String,
        sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout RegistrationParts) throws -> Void
    ) throws {
        let vector = Vector.named(name)
        var parts = try RegistrationParts(vector)
        try change(&parts)
        let refusal = #expect(throws: WebAuthnRefusal.self, sourceLocation: sourceLocation) {
            try vector.registrationRequest.verify(parts.json, at: Vector.now) { _ in false }
        }
        #expect(refusal?.check == check, "\(refusal?.explanation ?? "")", sourceLocation: sourceLocation)
        #expect(refusal?.step == step, "\(refusal?.explanation ?? "")", sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        ("w3c-l3/packed-self-es256/reg", "§8.2 step 3"), ("w3c-l3/packed-es256/reg", "§8.2 step 2"),
        ("w3c-l3/fido-u2f-es256/reg", "§8.6 step 6"), ("w3c-l3/android-key-es256/reg", "§8.4 step 2"),
        ("go-webauthn/tpm/tpm-1172/reg", "§8.3 step 5"),
    ])
    func `a statement with one bit of the signature changed is refused`(_ name: String, _ step: String) throws
    {
        try expect(.attestationSignature, step, in: name) { parts in
            var signature = try #require(parts.statement["sig"]?.bytes)
            signature[20] ^= 1
            parts.set("sig", .bytes(signature))
        }
        try expect(.attestationStatement, step.prefix(4) + " step 1", in: name) { $0.set("sig", nil) }
    }

    @Test(arguments: [
        ("w3c-l3/packed-es256/reg", "§8.2"), ("w3c-l3/fido-u2f-es256/reg", "§8.6"),
        ("w3c-l3/android-key-es256/reg", "§8.4"), ("go-webauthn/tpm/tpm-1172/reg", "§8.3"),
        ("w3c-l3/apple-es256/reg", "§8.8"),
    ])
    func `certificates must be there and be certificates`(_ name: String, _ section: String) throws {
        try expect(.attestationStatement, section + " step 1", in: name) { $0.set("x5c", .array([])) }
        try expect(.attestationStatement, section + " step 1", in: name) { $0.set("x5c", .bytes([])) }
        try expect(.attestationStatement, section + " step 1", in: name) { $0.set("x5c", .array([.null])) }
        try expect(.attestationCertificate, section + " step 1", in: name) {
            $0.set("x5c", .array([.bytes([0x30, 0])]))
        }
        try expect(.attestationStatement, section + " step 1", in: name) { $0.statement = .array([]) }
    }

    @Test func `packed: the algorithm must be right`() throws {
        let name = "w3c-l3/packed-self-es256/reg"
        try expect(.attestationAlgorithm, "§8.2 step 3", in: name) { $0.set("alg", CBOR(-257)) }
        try expect(.attestationAlgorithm, "§8.2 step 1", in: name) { $0.set("alg", CBOR(-1)) }
        try expect(.attestationStatement, "§8.2 step 1", in: name) { $0.set("alg", .text("ES256")) }
        try expect(.attestationStatement, "§8.2 step 1", in: name) { $0.set("ecdaaKeyId", .bytes([1])) }
        try expect(.attestationSignature, "§8.2 step 2", in: "w3c-l3/packed-es256/reg") {
            $0.set("alg", CBOR(-257))
        }
        try expect(.attestationAlgorithm, "§8.2 step 1", in: "w3c-l3/packed-es256/reg") {
            $0.set("alg", CBOR(-65535))
        }
    }

    @Test func `fido-u2f: one certificate, and keys on P-256`() throws {
        let name = "w3c-l3/fido-u2f-es256/reg"
        try expect(.attestationCertificate, "§8.6 step 2", in: name) { parts in
            let certificate = try #require(parts.statement["x5c"]?.array?.first)
            parts.set("x5c", .array([certificate, certificate]))
        }
        let (forge, maker) = (try Forge(), try PrivateKey.generate(.ec(.p384)))
        let certificate = try Forge.certificate(for: maker.publicKey, by: PrivateKey.generate(.ec(.p256)))
        let statement = Forge.map([("sig", .bytes([1])), ("x5c", .array([.bytes(certificate.der)]))])
        let refusal = #expect(throws: WebAuthnRefusal.self) { try forge.verify("fido-u2f", statement) }
        #expect(refusal?.check == .attestationKey)
        #expect(refusal?.step == "§8.6 step 2")
    }

    @Test func `apple: the nonce must be that of the ceremony, the key that of the credential`() throws {
        for name in ["w3c-l3/apple-es256/reg", "py_webauthn/apple/apple_passkey/reg"] {
            try expect(.attestationNonce, "§8.8 step 4", in: name) { $0.clientData.append(0x20) }
        }
        try expect(.attestationNonce, "§8.8 step 4", in: "w3c-l3/apple-es256/reg") { parts in
            let other = try RegistrationParts(Vector.named("w3c-l3/packed-es256/reg"))
            parts.set("x5c", other.statement["x5c"])
        }
        let (forge, other) = (try Forge(), try PrivateKey.generate(.ec(.p256)))
        let nonce = DER.sequence([
            DER.element(.context(1), DER.octetString(Digest.sha256(try forge.signed())))
        ])
        let value = Certificate.Extension(isCritical: false, value: nonce)
        for (key, check) in [(forge.key, nil), (other, WebAuthnCheck.attestationKey)] {
            let certificate = try Forge.certificate(
                for: key.publicKey, by: other, [("1.2.840.113635.100.8.2", value)])
            let statement = Forge.map([("x5c", .array([.bytes(certificate.der)]))])
            guard let check else {
                #expect(try forge.verify("apple", statement).attestation.type == .anonymizationCA)
                continue
            }
            let refusal = #expect(throws: WebAuthnRefusal.self) { try forge.verify("apple", statement) }
            #expect(refusal?.check == check)
        }
    }

    @Test func `android-safetynet: the nonce, the token and its signature must be right`() throws {
        let name = "py_webauthn/android-safetynet/android_safetynet/reg"
        try expect(.attestationNonce, "§8.5 step 3", in: name) { $0.clientData.append(0x20) }
        try expect(.attestationStatement, "§8.5 step 1", in: name) { $0.set("ver", .text("")) }
        try expect(.attestationStatement, "§8.5 step 2", in: name) { $0.set("response", .bytes([0x2E])) }
        try expect(.attestationSignature, "§8.5 step 4", in: name) { parts in
            var response = try #require(parts.statement["response"]?.bytes)
            let place = response.count - 20
            response[place] = response[place] == 0x41 ? 0x42 : 0x41
            parts.set("response", .bytes(response))
        }
    }

    @Test(arguments: [
        "go-webauthn/tpm/tpm-1172/reg", "py_webauthn/tpm/surface_pro_4/reg",
        "py_webauthn/tpm/lenovo_carbon_x1/reg",
    ])
    func `tpm: magic, type, extraData and name must be right`(_ name: String) throws {
        /// Where the fields of certInfo are.
        func change(_ place: @escaping ([UInt8]) -> Int) -> (inout RegistrationParts) throws -> Void {
            { parts in
                var info = try #require(parts.statement["certInfo"]?.bytes)
                info[place(info)] ^= 1
                parts.set("certInfo", .bytes(info))
            }
        }
        func extra(_ info: [UInt8]) -> Int { 8 + Int(info[6]) << 8 + Int(info[7]) }
        func certified(_ info: [UInt8]) -> Int {
            extra(info) + 2 + Int(info[extra(info)]) << 8 + Int(info[extra(info) + 1]) + 17 + 8 + 2
        }
        try expect(.attestationProperties, "§8.3 step 4", in: name, change { _ in 0 })
        try expect(.attestationProperties, "§8.3 step 4", in: name, change { _ in 5 })
        try expect(.attestationNonce, "§8.3 step 4", in: name, change { extra($0) + 2 })
        try expect(.attestationKey, "§8.3 step 4", in: name, change { certified($0) + 4 })
        try expect(.attestationStatement, "§8.3 step 4", in: name) { parts in
            let info = try #require(parts.statement["certInfo"]?.bytes)
            parts.set("certInfo", .bytes(info + [0]))
        }
        try expect(.attestationStatement, "§8.3 step 1", in: name) { $0.set("ver", .text("1.2")) }
        try expect(.attestationKey, "§8.3 step 2", in: name) { parts in
            var area = try #require(parts.statement["pubArea"]?.bytes)
            area[area.count - 1] ^= 2
            parts.set("pubArea", .bytes(area))
        }
        try expect(.attestationStatement, "§8.3 step 2", in: name) { $0.set("pubArea", .bytes([0, 1, 0])) }
    }
}
