import Crypto
import Essentials
import WebAuthn

/// Makes registrations by hand, to the letter of the standard, with statements of any kind.
struct Forge {
    let key: PrivateKey
    var algorithm = COSEAlgorithm.es256
    var id: [UInt8] = Array("credential".utf8)
    var aaguid = [UInt8](1...16)
    var flags: UInt8 = 0x45
    let challenge: [UInt8] = Array("0123456789abcdef".utf8)

    init() throws { key = try PrivateKey.generate(.ec(.p256)) }

    init(_ key: PrivateKey, _ algorithm: COSEAlgorithm) { (self.key, self.algorithm) = (key, algorithm) }

    var clientData: [UInt8] {
        Array(
            """
            {"type":"webauthn.create","challenge":"\(Base64URL.encode(challenge))","origin":"https://example.org"}
            """.utf8)
    }

    func data() throws -> [UInt8] {
        let cose = try COSEKey(key.publicKey, algorithm)
        return Digest.sha256(Array("example.org".utf8)) + [flags, 0, 0, 0, 1] + aaguid
            + [0, UInt8(id.count)] + id + cose.bytes
    }

    func signed() throws -> [UInt8] { try data() + Digest.sha256(clientData) }

    func registration(_ format: String, _ statement: CBOR) throws -> RegistrationParts {
        RegistrationParts(
            id: id, clientData: clientData, format: format, statement: statement, data: try data())
    }

    var request: RegistrationRequest {
        RegistrationRequest(
            relyingParty: RelyingParty(id: "example.org", origins: ["https://example.org"]),
            challenge: IssuedChallenge(challenge, for: .registration), algorithms: Vector.algorithms)
    }

    func verify(_ format: String, _ statement: CBOR) throws -> VerifiedRegistration {
        try request.verify(registration(format, statement).json, at: Vector.now) { _ in false }
    }

    /// A signature of WebAuthn's form.
    static func sign(_ message: [UInt8], _ key: PrivateKey, _ algorithm: SignatureAlgorithm = .es256) throws
        -> [UInt8]
    {
        let signature = try key.sign(message, with: algorithm)
        guard case .ec(let curve) = key.kind else { return signature }
        return try ECSignature.der(fromRaw: signature, curve)
    }

    static func certificate(
        for key: PublicKey, by issuer: PrivateKey, subject: [NameAttribute] = packedSubject,
        isAuthority: Bool = false,
        _ extensions: [(type: String, value: Certificate.Extension)] = []
    ) throws -> Certificate {
        try CertificateTemplate(
            subject: subject, serialNumber: [1], notBefore: Vector.now,
            notAfter: Vector.now.addingTimeInterval(86_400),
            isAuthority: isAuthority, extensions: extensions
        ).issue(for: key, by: issuer, with: .es256)
    }

    static let packedSubject = [
        NameAttribute(NameAttribute.country, "SE"), NameAttribute(NameAttribute.organization, "Maker"),
        NameAttribute(NameAttribute.organizationalUnit, "Authenticator Attestation"),
        NameAttribute(NameAttribute.commonName, "Key"),
    ]

    static func map(_ members: [(String, CBOR)]) -> CBOR {
        .map(members.map { CBOREntry(.text($0.0), $0.1) })
    }
}
