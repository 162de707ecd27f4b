import Crypto
import Essentials
import Testing
import WebAuthn

/// One published registration or authentication; see `Tests/Vectors/webauthn/README.md`.
struct Vector: Decodable, Sendable, CustomTestStringConvertible {
    struct Expectation: Decodable {
        let result: String
        let fmt: String?
        let aaguid: String?
        let flags: UInt8
        let signCount: UInt32
        let credentialId: String?
        let credentialPublicKey: String?
        let coseAlg: Int
    }

    struct Stored: Decodable {
        let credentialId: String
        let credentialPublicKey: String
        let signCount: UInt32
    }

    let id: String
    let ceremony: String
    let kind: String?
    let rpId: String
    let origin: String
    let challenge: String
    let crossOrigin: Bool?
    let topOrigin: String?
    let credential: JSONValue
    let stored: Stored?
    let credentialPrivateKeyHex: String?
    let expect: Expectation

    var testDescription: String { id }
}

extension Vector {
    private struct File: Decodable {
        let trustAnchor: String?
        let vectors: [Vector]
    }

    static let all = ["w3c-webauthn-l3", "py_webauthn", "go-webauthn", "soft-webauthn"].flatMap {
        file($0).vectors
    }
    static let registrations = all.filter { $0.ceremony == "registration" }
    static let authentications = all.filter { $0.ceremony == "authentication" }

    /// The root of the attestation certificates in the standard's examples.
    static let trustAnchor = file("w3c-webauthn-l3").trustAnchor.flatMap { Base64URL.decode($0) }

    static func named(_ id: String) -> Vector {
        guard let vector = all.first(where: { $0.id == id }) else { preconditionFailure("no vector \(id)") }
        return vector
    }

    private static func file(_ name: String) -> File {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Vectors/webauthn/\(name).json")
        guard let data = try? Data(contentsOf: file),
            let content = try? JSONDecoder().decode(File.self, from: data)
        else { preconditionFailure("no vectors in \(name)") }
        return content
    }
}

extension Vector {
    static let now = Date(timeIntervalSince1970: 1_700_000_000)

    /// All algorithms that a credential may have.
    static let algorithms = COSEAlgorithm.allCases.filter { $0 != .rs1 }.map(\.rawValue)

    var relyingParty: RelyingParty {
        RelyingParty(
            id: rpId, origins: [origin], allowsCrossOrigin: crossOrigin == true,
            topOrigins: topOrigin.map { [$0] } ?? [])
    }

    func issued(_ ceremony: Ceremony) -> IssuedChallenge {
        IssuedChallenge(Base64URL.decode(challenge) ?? [], for: ceremony)
    }

    var registrationRequest: RegistrationRequest {
        RegistrationRequest(
            relyingParty: relyingParty, challenge: issued(.registration), algorithms: Self.algorithms,
            tolerated: [.base64])
    }

    /// For the user who owns the credential.
    var authenticationRequest: AuthenticationRequest {
        AuthenticationRequest(
            relyingParty: relyingParty, challenge: issued(.authentication), userHandle: Self.userHandle)
    }

    static let userHandle = Array("ada".utf8)

    var record: CredentialRecord? {
        guard let stored, let id = Base64URL.decode(stored.credentialId),
            let key = Base64URL.decode(stored.credentialPublicKey)
        else { return nil }
        return CredentialRecord(
            id: id, userHandle: handle ?? Self.userHandle, publicKey: key, signCount: stored.signCount,
            isUserVerificationInitialized: false,
            isBackupEligible: AuthenticatorFlags(rawValue: expect.flags).contains(.backupEligible),
            isBackedUp: false)
    }

    /// The user handle that the authenticator sends.
    var handle: [UInt8]? { credential["response"]?["userHandle"]?.string.flatMap { Base64URL.decode($0) } }

    func register(_ request: RegistrationRequest? = nil) throws -> VerifiedRegistration {
        try (request ?? registrationRequest).verify(credential.bytes, at: Self.now) { _ in false }
    }
}
