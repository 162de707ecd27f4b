import Crypto
import Essentials
import Testing

@Suite struct CertificateTests {
    /// A chain of three made by pyca/cryptography.
    struct Foreign: Decodable {
        let root: HexBytes
        let intermediate: HexBytes
        let leaf: HexBytes
        let leafKey: HexBytes
        let intermediatePEM: String
        let notBefore: Int
        let notAfter: Int
    }

    let foreign: Foreign
    let (root, intermediate, leaf): (Certificate, Certificate, Certificate)

    init() throws {
        foreign = vector(Foreign.self, "crypto/certificates.json")
        root = try Certificate(der: foreign.root.bytes)
        intermediate = try Certificate(der: foreign.intermediate.bytes)
        leaf = try Certificate(der: foreign.leaf.bytes)
    }

    @Test func `a certificate of another implementation is read`() throws {
        #expect(leaf.version == 3)
        #expect(try leaf.subject.isEmpty)
        #expect(
            try leaf.issuer == [
                NameAttribute(NameAttribute.country, "DE"),
                NameAttribute(NameAttribute.commonName, "Mitte ü"),
            ])
        #expect(try leaf.publicKey == VerificationKey(der: foreign.leafKey.bytes))
        #expect(try leaf.notBefore == Date(timeIntervalSince1970: Double(foreign.notBefore)))
        #expect(try leaf.notAfter == Date(timeIntervalSince1970: Double(foreign.notAfter)))
        #expect(try Certificate(pem: foreign.intermediatePEM) == intermediate)
        #expect(try intermediate.pem() == foreign.intermediatePEM)
    }

    @Test func `extensions are read when they are asked for`() throws {
        #expect(try leaf.isAuthority() == false)
        #expect(try intermediate.isAuthority() == true)
        #expect(try leaf.extendedKeyUsage() == ["2.23.133.8.3", "1.3.6.1.5.5.7.3.1"])
        #expect(try intermediate.extendedKeyUsage() == nil)
        #expect(
            try leaf.subjectAlternativeNames() == [
                .dns("device.example"),
                .directory([
                    // Within one RDN in the order of their encodings: X.690 §11.6.
                    NameAttribute("2.23.133.2.2", "Model"), NameAttribute("2.23.133.2.3", "id:0001"),
                    NameAttribute("2.23.133.2.1", "id:494E5443"),
                ]), .other(6),
            ])
        let aaguid = Certificate.Extension(isCritical: false, value: [4, 16] + Array(0..<16))
        #expect(try leaf.extensionValue("1.3.6.1.4.1.45724.1.1.4") == aaguid)
        #expect(try leaf.extensionValue("2.5.29.17")?.isCritical == true)
        #expect(try leaf.extensionValue("1.2.3") == nil)
        #expect(throws: CryptoError.self) { try leaf.extensionValue("no identifier") }
    }

    @Test func `a chain is found, and its flaws are`() throws {
        let during = Date(timeIntervalSince1970: Double(foreign.notBefore + 1))
        #expect(
            try leaf.chain(over: [intermediate], to: [root], at: during)
                == .trusted([leaf, intermediate, root]))
        #expect(
            try leaf.chain(over: [root, intermediate], to: [root], at: nil)
                == .trusted([leaf, intermediate, root]))
        #expect(try leaf.chain(over: [], to: [intermediate], at: nil) == .trusted([leaf, intermediate]))
        #expect(try leaf.chain(over: [], to: [leaf], at: nil) == .trusted([leaf]))
        func reason(_ over: [Certificate], _ anchors: [Certificate], _ date: Date? = nil) throws -> String? {
            guard case .untrusted(let reason) = try leaf.chain(over: over, to: anchors, at: date) else {
                return nil
            }
            return reason
        }
        #expect(try reason([], [root]) == "unable to get local issuer certificate")
        #expect(try reason([intermediate, root], []) == "self-signed certificate in certificate chain")
        let before = Date(timeIntervalSince1970: Double(foreign.notBefore - 1))
        #expect(try reason([intermediate], [root], before)?.contains("not yet valid") == true)
        let after = Date(timeIntervalSince1970: Double(foreign.notAfter + 1))
        #expect(try reason([intermediate], [root], after)?.contains("expired") == true)
        var changed = foreign.leaf.bytes
        changed[changed.count - 5] ^= 1
        guard
            case .untrusted(let why) = try Certificate(der: changed).chain(
                over: [intermediate], to: [root], at: nil)
        else {
            Issue.record("a changed signature is trusted")
            return
        }
        #expect(why.contains("signature"))
    }

    @Test func `what is no certificate is refused`() {
        #expect(throws: CryptoError.self) { try Certificate(der: []) }
        #expect(throws: CryptoError.self) { try Certificate(der: [0x30, 0]) }
        #expect(throws: CryptoError.self) { try Certificate(der: foreign.leaf.bytes + [0]) }
        #expect(throws: CryptoError.self) { try Certificate(der: foreign.leaf.bytes.dropLast()) }
        #expect(throws: CryptoError.self) { try Certificate(pem: "-----BEGIN CERTIFICATE-----\nAAAA\n") }
    }

    @Test(
        arguments: [
            (KeyKind.ec(.p256), .es256), (.ec(.p384), .es384), (.rsa(bits: 2048), .rs256), (.ed25519, .eddsa),
        ] as [(KeyKind, SignatureAlgorithm)])
    func `a certificate that is issued says what its template does`(
        _ kind: KeyKind, _ algorithm: SignatureAlgorithm
    ) throws {
        let (authorityKey, key) = (try PrivateKey.generate(kind), try PrivateKey.generate(.ec(.p256)))
        // Beyond 2049 the time is written in another form.
        let (start, end) = (
            Date(timeIntervalSince1970: 1_700_000_000), Date(timeIntervalSince1970: 2_600_000_000)
        )
        let name = [
            NameAttribute(NameAttribute.country, "DE"), NameAttribute(NameAttribute.commonName, "Grün"),
        ]
        var template = CertificateTemplate(
            subject: name, serialNumber: [0x80, 1], notBefore: start, notAfter: end, isAuthority: true)
        let authority = try template.issue(for: authorityKey.publicKey, by: authorityKey, with: algorithm)
        template.subject = [NameAttribute(NameAttribute.commonName, "Leaf")]
        template.isAuthority = false
        let own = Certificate.Extension(isCritical: true, value: [5, 0])
        template.extensions = [(type: "1.2.3.4", value: own)]
        let leaf = try template.issue(
            for: key.publicKey, by: authorityKey, with: algorithm, issuer: authority)

        #expect(try (authority.subject, authority.issuer) == (name, name))
        #expect(try leaf.issuer == name)
        #expect(try (leaf.notBefore, leaf.notAfter) == (start, end))
        #expect(try leaf.publicKey == VerificationKey(key.publicKey))
        #expect(try (authority.isAuthority(), leaf.isAuthority()) == (true, false))
        #expect(try leaf.extensionValue("1.2.3.4") == own)
        template.extensions = []
        let plain = try template.issue(
            for: key.publicKey, by: authorityKey, with: algorithm, issuer: authority)
        #expect(try plain.chain(over: [], to: [authority], at: start) == .trusted([plain, authority]))
        // RFC 5280 §4.2: a critical extension that nobody knows breaks the chain.
        #expect(
            try leaf.chain(over: [], to: [authority], at: start) == .untrusted("unhandled critical extension")
        )
    }
}
