import Crypto
import Essentials
import Testing
import WebAuthn

/// Attestations of the software authenticator against the verifier, which the published vectors vouch for. Source: Web Authentication
/// Level 3 §8.
@Suite struct SoftwareAttestationTests {
    typealias Attestation = SoftwareBehaviour.Attestation

    let helper = SoftwareAuthenticatorTests()
    let authority: AttestationAuthority

    init() throws { authority = try Self.authority() }

    static func authority(
        _ kind: KeyKind = .ec(.p256), batch: KeyKind = .ec(.p256), isOwnRoot: Bool = true
    ) throws -> AttestationAuthority {
        let key = try PrivateKey.generate(.ec(.p256))
        let root = try CertificateTemplate(
            subject: [NameAttribute(NameAttribute.commonName, "Development CA")], serialNumber: [1],
            notBefore: Vector.now, notAfter: Vector.now.addingTimeInterval(86_400), isAuthority: true
        ).issue(for: key.publicKey, by: key, with: .es256)
        return try AttestationAuthority(
            key: isOwnRoot ? key : .generate(kind), root: root, batchKey: .generate(batch),
            from: Vector.now, to: Vector.now.addingTimeInterval(86_400))
    }

    /// - Parameter isTrusting: whether the root of the authority is the only anchor.
    func register(
        _ attestation: Attestation, _ fault: AttestationFault? = nil, algorithms: [Int] = [-7],
        isTrusting: Bool = true
    ) throws -> (VerifiedRegistration, RegistrationParts) {
        var authenticator = helper.authenticator {
            $0.attestation = attestation
            $0.attestationFault = fault
        }
        var request = helper.registration
        request.attestation = AttestationPolicy(
            anchors: [authority.root], date: Vector.now, requiresTrust: isTrusting)
        let json = try authenticator.create(helper.creation(algorithms))
        return (try request.verify(json, at: Vector.now) { _ in false }, try RegistrationParts(json))
    }

    /// With the published statement of the same form.
    var kinds: [(Attestation, AttestationFormat, AttestationType, vector: String)] {
        [
            (.packed(authority), .packed, .basic, "w3c-l3/packed-es256/reg"),
            (.fidoU2F(authority), .fidoU2F, .basic, "w3c-l3/fido-u2f-es256/reg"),
            (.tpm(authority), .tpm, .attestationCA, "w3c-l3/tpm-es256/reg"),
            (.androidKey(authority), .androidKey, .basic, "w3c-l3/android-key-es256/reg"),
            (.apple(authority), .apple, .anonymizationCA, "w3c-l3/apple-es256/reg"),
        ]
    }

    @Test func `each format leads to the root, and has the members of the standard's example`() throws {
        for (attestation, format, type, vector) in kinds {
            let (registered, parts) = try register(attestation)
            #expect(registered.attestation.format == format)
            #expect(registered.attestation.type == type)
            #expect(registered.warnings.isEmpty)
            guard case .trusted(let path) = registered.trust else {
                Issue.record("\(format): \(registered.trust)")
                continue
            }
            #expect(path.last == authority.root)
            let published = try RegistrationParts(Vector.named(vector))
            #expect(parts.format == published.format)
            #expect(parts.statement.memberNames == published.statement.memberNames)
        }
    }

    @Test func `each fault is found, for what it is`() throws {
        let checks: [AttestationFault: WebAuthnCheck] = [
            .issuer: .attestationTrust, .certificate: .attestationCertificate, .aaguid: .attestationAAGUID,
            .key: .attestationKey, .nonce: .attestationNonce, .properties: .attestationProperties,
        ]
        for (attestation, format, _, _) in kinds {
            #expect(!attestation.faults.isEmpty)
            for fault in attestation.faults {
                let check = helper.refusal { try register(attestation, fault) }
                #expect(check == checks[fault], "\(fault) in \(format)")
            }
        }
    }

    @Test func `a fault that a format does not have changes nothing`() throws {
        for (attestation, _, _, _) in kinds {
            for fault in AttestationFault.allCases where !attestation.faults.contains(fault) {
                #expect(throws: Never.self) { try register(attestation, fault) }
            }
        }
    }

    @Test(arguments: [-7, -35, -36, -257, -37])
    func `keys of each algorithm are attested by a TPM and by Android`(_ algorithm: Int) throws {
        for attestation in [Attestation.tpm(authority), .androidKey(authority)] {
            let (registered, _) = try register(attestation, algorithms: [algorithm])
            #expect(registered.publicKey.algorithm.rawValue == algorithm)
        }
    }

    @Test func `U2F and Apple take ES256 where it stands last, a TPM no Ed25519`() throws {
        for attestation in [Attestation.fidoU2F(authority), .apple(authority)] {
            let (registered, _) = try register(attestation, algorithms: [-8, -35, -257, -7])
            #expect(registered.publicKey.algorithm == .es256)
        }
        let (registered, _) = try register(.tpm(authority), algorithms: [-8, -257])
        #expect(registered.publicKey.algorithm == .rs256)
        #expect(throws: SoftwareAuthenticatorError.self) { try register(.tpm(authority), algorithms: [-8]) }
    }

    @Test func `an authority has its own root, and keys on P-256`() throws {
        #expect(throws: SoftwareAuthenticatorError.self) { try Self.authority(isOwnRoot: false) }
        #expect(throws: SoftwareAuthenticatorError.self) { try Self.authority(batch: .ec(.p384)) }
    }
}

extension CBOR {
    fileprivate var memberNames: [String] { (map ?? []).compactMap(\.key.text).sorted() }
}
