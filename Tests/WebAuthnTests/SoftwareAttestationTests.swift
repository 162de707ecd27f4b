import Crypto
import Essentials
import Testing

@testable import WebAuthn

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

    /// What a software authenticator makes that draws the id and the key of a published registration, with its challenge, AAGUID and flags.
    private func repeated(_ vector: Vector) throws -> RegistrationParts {
        let id = try #require(vector.expect.credentialId.flatMap { Base64URL.decode($0) })
        let key = try #require(vector.credentialPrivateKeyHex.flatMap { Hex.decode($0) })
        let drawn = SoftwareAuthenticatorTests.Counter()
        let entropy = SoftwareAuthenticator.Entropy { count in
            let draw = drawn.next()
            return draw == 1 ? id : draw == 2 ? key : [UInt8](repeating: 7, count: count)
        }
        var behaviour = SoftwareBehaviour(
            origin: vector.origin, aaguid: try #require(vector.expect.aaguid.flatMap { Hex.decode($0) }))
        let flags = AuthenticatorFlags(rawValue: vector.expect.flags)
        behaviour.isUserVerified = flags.contains(.userVerified)
        behaviour.isBackupEligible = flags.contains(.backupEligible)
        behaviour.isBackedUp = flags.contains(.backedUp)
        (behaviour.crossOrigin, behaviour.topOrigin) = (vector.crossOrigin == true, vector.topOrigin)
        behaviour.attestation = Attestation.none
        var authenticator = SoftwareAuthenticator(behaviour, entropy: entropy)
        let options: JSONValue = [
            "rp": ["id": .string(vector.rpId), "name": "Example"], "user": ["id": "YWRh", "name": "ada"],
            "challenge": .string(vector.challenge),
            "pubKeyCredParams": [["type": "public-key", "alg": .integer(vector.expect.coseAlg)]],
        ]
        return try RegistrationParts(authenticator.create(options.bytes))
    }

    @Test func `with a published key, client data and authenticator data are the published ones`() throws {
        var count = 0
        for vector in Vector.registrations where vector.credentialPrivateKeyHex != nil {
            let published = try RegistrationParts(vector)
            // Chance has added a member to some.
            guard try JSONValue(parsing: published.clientData)["extraData"] == nil else { continue }
            let parts = try repeated(vector)
            #expect(parts.clientData == published.clientData, "\(vector.id)")
            #expect(parts.data == published.data, "\(vector.id)")
            count += 1
        }
        #expect(count == 5)
    }

    /// Writes a statement about the credential of a published registration.
    private func writer(_ vector: Vector) throws -> (AttestationWriter, RegistrationParts) {
        let published = try RegistrationParts(vector)
        let data = try AuthenticatorData(published.data)
        let attested = try #require(data.credential)
        let scalar = try #require(vector.credentialPrivateKeyHex.flatMap { Hex.decode($0) })
        let credential = SoftwareCredential(
            id: attested.id, relyingPartyID: vector.rpId, userHandle: [], userName: "", algorithm: .es256,
            key: try PrivateKey(.p256, scalar: scalar), signCount: 0)
        let subject = AttestationSubject(
            data: data, credential: attested, clientData: published.clientData,
            clientDataHash: Digest.sha256(published.clientData))
        let writer = AttestationWriter(
            authenticator: helper.authenticator(), authority: authority, subject: subject,
            credential: credential)
        return (writer, published)
    }

    private func extensionValue(_ statement: CBOR, _ type: String) throws -> [UInt8] {
        let der = try #require(statement["x5c"]?.array?.first?.bytes)
        return try #require(try Certificate(der: der).extensionValue(type)).value
    }

    @Test func `of a published credential a TPM says what is published`() throws {
        let (writer, published) = try writer(Vector.named("w3c-l3/tpm-es256/reg"))
        let statement = try writer.tpm()
        func area(_ statement: CBOR) throws -> [UInt8] {
            var bytes = try #require(statement["pubArea"]?.bytes)
            // The attributes of the example say sign, and nothing of where the key is.
            bytes.replaceSubrange(4..<8, with: [0, 4, 0, 0])
            return bytes
        }
        #expect(try area(statement) == area(published.statement))
        func info(_ statement: CBOR) throws -> TPMCertification {
            try TPMCertification(#require(statement["certInfo"]?.bytes))
        }
        let (ours, theirs) = (try info(statement), try info(published.statement))
        #expect(ours.extraData == theirs.extraData)
        #expect(ours.magic == theirs.magic && ours.type == theirs.type)
    }

    @Test func `of published credentials Android and Apple say what is published`() throws {
        let (android, publishedAndroid) = try writer(Vector.named("w3c-l3/android-key-es256/reg"))
        let type = AndroidKeyDescription.extensionType
        let ours = try AndroidKeyDescription(extensionValue(android.androidKey(), type))
        let theirs = try AndroidKeyDescription(extensionValue(publishedAndroid.statement, type))
        #expect(ours.challenge == theirs.challenge)
        #expect(ours.origins == [0] && ours.purposes == [2])

        let (apple, publishedApple) = try writer(Vector.named("w3c-l3/apple-es256/reg"))
        let nonce = AttestationFormat.appleNonceExtension
        #expect(
            try extensionValue(apple.apple(), nonce) == extensionValue(publishedApple.statement, nonce))
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
