import Crypto
import Essentials
import Testing
import WebAuthn

/// TPM attestations with ECC keys that are made here. Source: Web Authentication Level 3 §8.3; TCG TPM 2.0 Library, part 2.
@Suite struct TPMTests {
    typealias Extensions = [(type: String, value: Certificate.Extension)]

    /// A certificate of an attestation key, in which one thing may be other than it should be.
    struct Leaf {
        var subject: [NameAttribute] = []
        var manufacturer: String? = "id:494E5443"
        var model: String? = "Model"
        var version: String? = "id:0001"
        var usage: String? = "2.23.133.8.3"
        var isAuthority = false
        var aaguid: [UInt8]?

        func extensions() throws -> Extensions {
            var all: Extensions = []
            let names = [("2.23.133.2.1", manufacturer), ("2.23.133.2.2", model), ("2.23.133.2.3", version)]
            let attributes = try names.compactMap { type, value in
                try value.map { DER.sequence([try DER.objectIdentifier(type), DER.utf8String($0)]) }
            }
            if !attributes.isEmpty {
                let name = DER.sequence([DER.set(attributes)])
                let value = DER.sequence([DER.element(.context(4), name)])
                all.append(("2.5.29.17", Certificate.Extension(isCritical: true, value: value)))
            }
            if let usage {
                let value = DER.sequence([try DER.objectIdentifier(usage)])
                all.append(("2.5.29.37", Certificate.Extension(isCritical: false, value: value)))
            }
            if let aaguid {
                let value = Certificate.Extension(isCritical: false, value: DER.octetString(aaguid))
                all.append((PackedCertificateTests.aaguid, value))
            }
            return all
        }
    }

    let forge: Forge
    let key: PrivateKey

    init() throws { (forge, key) = (try Forge(), try PrivateKey.generate(.ec(.p256))) }

    static func sized(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
    }

    /// `TPMT_PUBLIC` with a scheme of ECDSA and SHA-256.
    func area(_ key: PublicKey, padding: [UInt8] = []) throws -> [UInt8] {
        let point = try key.point()
        return [0, 0x23, 0, 0x0B, 0, 6, 4, 0x72] + Self.sized([1, 2]) + [
            0, 0x10, 0, 0x18, 0, 0x0B, 0, 3, 0, 0x10,
        ]
            + Self.sized(padding + point.x) + Self.sized(padding + point.y)
    }

    func info(_ area: [UInt8]) throws -> [UInt8] {
        [0xFF, 0x54, 0x43, 0x47, 0x80, 0x17] + Self.sized([9]) + Self.sized(Digest.sha256(try forge.signed()))
            + [UInt8](repeating: 0, count: 25) + Self.sized([0, 0x0B] + Digest.sha256(area)) + Self.sized([])
    }

    func verify(
        _ leaf: Leaf = Leaf(), area: [UInt8]? = nil, algorithm: Int = -7
    ) throws -> VerifiedRegistration {
        let area = try area ?? self.area(forge.key.publicKey)
        let info = try info(area)
        let certificate = try Forge.certificate(
            for: key.publicKey, by: key, subject: leaf.subject, isAuthority: leaf.isAuthority,
            leaf.extensions())
        return try forge.verify(
            "tpm",
            Forge.map([
                ("ver", .text("2.0")), ("alg", CBOR(algorithm)), ("sig", .bytes(try Forge.sign(info, key))),
                ("x5c", .array([.bytes(certificate.der)])), ("pubArea", .bytes(area)),
                ("certInfo", .bytes(info)),
            ]))
    }

    func refusal(
        _ area: [UInt8]? = nil, algorithm: Int = -7, _ change: (inout Leaf) -> Void = { _ in }
    ) -> WebAuthnRefusal? {
        var leaf = Leaf()
        change(&leaf)
        return #expect(throws: WebAuthnRefusal.self) { try verify(leaf, area: area, algorithm: algorithm) }
    }

    @Test func `an ECC key is attested, with the AAGUID or without`() throws {
        #expect(try verify().attestation.type == .attestationCA)
        #expect(try verify(Leaf(aaguid: forge.aaguid)).attestation.format == .tpm)
        // A coordinate may come with zeros before it.
        _ = try verify(area: area(forge.key.publicKey, padding: [0]))
    }

    @Test func `the key must be that of the credential`() throws {
        let other = try refusal(area(key.publicKey))
        #expect(other?.check == .attestationKey)
        #expect(other?.step == "§8.3 step 2")
        let algorithm = refusal(algorithm: -8)
        #expect(algorithm?.check == .attestationAlgorithm)
    }

    @Test func `the certificate has no subject, and names manufacturer, model and version`() {
        let named = refusal { $0.subject = Forge.packedSubject }
        #expect(named?.expected == "an empty subject")
        #expect(refusal { $0.manufacturer = nil }?.got == "none")
        #expect(refusal { $0.manufacturer = "Intel" }?.got == "Intel")
        #expect(refusal { $0.manufacturer = "id:494E54" }?.got == "id:494E54")
        #expect(refusal { $0.model = nil }?.expected == "a TPM model (2.23.133.2.2)")
        #expect(refusal { $0.version = nil }?.expected == "a TPM version (2.23.133.2.3)")
        let bare = refusal { ($0.manufacturer, $0.model, $0.version) = (nil, nil, nil) }
        #expect(bare?.check == .attestationCertificate)
        #expect(bare?.step == "§8.3 step 5")
    }

    @Test func `the certificate is for attestation keys and no authority's`() {
        #expect(refusal { $0.usage = nil }?.expected == "the extended key usage 2.23.133.8.3")
        #expect(refusal { $0.usage = "2.23.133.8.1" }?.got == "2.23.133.8.1")
        #expect(refusal { $0.isAuthority = true }?.got == "CA true")
        #expect(refusal { $0.aaguid = [UInt8](repeating: 9, count: 16) }?.check == .attestationAAGUID)
    }
}
