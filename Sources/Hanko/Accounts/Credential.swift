import Crypto
import Essentials
import PlatformKit
import SQLite

/// A passkey, or a security key that is a second factor only.
struct Credential: Record, Equatable {
    static let table: Table = "hanko_credential"

    /// Base64url.
    let id: String
    let userID: String
    var name: String?
    /// COSE_Key in base64url.
    let publicKey: String
    /// The attestation format, such as `none`.
    let attestationType: String
    /// UUID.
    let aaguid: String
    var signCount: Int
    /// As the client said them.
    let transports: [String]
    var isBackupEligible: Bool
    var isBackedUp: Bool
    /// A security key: good as a second factor, not to sign in with.
    let isMFAOnly: Bool
    var lastUsedAt: Date?
    let createdAt: Date
    var updatedAt: Date

    enum CodingKeys: String, CodingKey {
        case id, name, aaguid, transports
        case userID = "user_id"
        case publicKey = "public_key"
        case attestationType = "attestation_type"
        case signCount = "sign_count"
        case isBackupEligible = "backup_eligible"
        case isBackedUp = "backup_state"
        case isMFAOnly = "mfa_only"
        case lastUsedAt = "last_used_at"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}

extension Credential {
    /// In fixtures everything but id and key may be left out: a passkey then, without attestation.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(String.self, forKey: .id)
        userID = try members.owner(.userID)
        name = try members.decodeIfPresent(String.self, forKey: .name)
        publicKey = try members.decode(String.self, forKey: .publicKey)
        attestationType = try members.decodeIfPresent(String.self, forKey: .attestationType) ?? "none"
        aaguid = try members.decodeIfPresent(String.self, forKey: .aaguid) ?? Self.noAAGUID
        signCount = try members.decodeIfPresent(Int.self, forKey: .signCount) ?? 0
        transports = try members.decodeIfPresent([String].self, forKey: .transports) ?? []
        isBackupEligible = try members.decodeIfPresent(Bool.self, forKey: .isBackupEligible) ?? false
        isBackedUp = try members.decodeIfPresent(Bool.self, forKey: .isBackedUp) ?? false
        isMFAOnly = try members.decodeIfPresent(Bool.self, forKey: .isMFAOnly) ?? false
        lastUsedAt = try members.decodeIfPresent(Date.self, forKey: .lastUsedAt)
        createdAt = try members.decodeIfPresent(Date.self, forKey: .createdAt) ?? .ofFixtures
        updatedAt = try members.decodeIfPresent(Date.self, forKey: .updatedAt) ?? createdAt
    }

    private static let noAAGUID = "00000000-0000-0000-0000-000000000000"
}

extension Connection {
    func credential(_ id: String) throws -> Credential? { try first(Credential.self, where: "id = \(id)") }

    /// In the order in which they came.
    func credentials(of userID: String) throws -> [Credential] {
        try all(Credential.self, where: "user_id = \(userID)")
    }
}

/// A credential as profile, `GET /webauthn/credentials` and the admin API show it.
struct CredentialOutput: Encodable, Sendable {
    let credential: Credential

    init(_ credential: Credential) { self.credential = credential }

    enum CodingKeys: String, CodingKey {
        case id, name
        case publicKey = "public_key"
        case attestationType = "attestation_type"
        case aaguid
        case lastUsedAt = "last_used_at"
        case createdAt = "created_at"
        case transports
        case isBackupEligible = "backup_eligible"
        case isBackedUp = "backup_state"
        case isMFAOnly = "mfa_only"
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(credential.id, forKey: .id)
        try members.encodeIfPresent(credential.name, forKey: .name)
        try members.encode(credential.publicKey, forKey: .publicKey)
        try members.encode(credential.attestationType, forKey: .attestationType)
        try members.encode(credential.aaguid, forKey: .aaguid)
        try members.encodeIfPresent(credential.lastUsedAt, forKey: .lastUsedAt)
        try members.encode(credential.createdAt, forKey: .createdAt)
        try members.encode(credential.transports, forKey: .transports)
        try members.encode(credential.isBackupEligible, forKey: .isBackupEligible)
        try members.encode(credential.isBackedUp, forKey: .isBackedUp)
        try members.encode(credential.isMFAOnly, forKey: .isMFAOnly)
    }
}

/// A credential as `GET /users/{id}` shows it: the row of the database, with the transports as rows of their own.
struct CredentialRow: Encodable, Sendable {
    let credential: Credential

    init(_ credential: Credential) { self.credential = credential }

    enum CodingKeys: String, CodingKey {
        case id, name
        case userID = "user_id"
        case publicKey = "public_key"
        case attestationType = "attestation_type"
        case aaguid
        case signCount = "sign_count"
        case lastUsedAt = "last_used_at"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case transports
        case isBackupEligible = "backup_eligible"
        case isBackedUp = "backup_state"
        case isMFAOnly = "mfa_only"
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(credential.id, forKey: .id)
        try members.encode(credential.name, forKey: .name)
        try members.encode(credential.userID, forKey: .userID)
        try members.encode(credential.publicKey, forKey: .publicKey)
        try members.encode(credential.attestationType, forKey: .attestationType)
        try members.encode(credential.aaguid, forKey: .aaguid)
        try members.encode(credential.signCount, forKey: .signCount)
        try members.encode(credential.lastUsedAt, forKey: .lastUsedAt)
        try members.encode(credential.createdAt, forKey: .createdAt)
        try members.encode(credential.updatedAt, forKey: .updatedAt)
        try members.encode(credential.transports.map { Transport(credential, $0) }, forKey: .transports)
        try members.encode(credential.isBackupEligible, forKey: .isBackupEligible)
        try members.encode(credential.isBackedUp, forKey: .isBackedUp)
        try members.encode(credential.isMFAOnly, forKey: .isMFAOnly)
    }

    /// A transport as a row, whose id follows from the credential's.
    private struct Transport: Encodable {
        let id: String
        let name: String
        let credentialID: String
        let createdAt: Date
        let updatedAt: Date

        init(_ credential: Credential, _ name: String) {
            id = Entropy.uuid(of: Digest.sha256(Array("hanko.transport \(credential.id) \(name)".utf8)))
            self.name = name
            credentialID = credential.id
            createdAt = credential.createdAt
            updatedAt = credential.createdAt
        }

        enum CodingKeys: String, CodingKey {
            case id, name
            case credentialID = "webauthn_credential_id"
            case createdAt = "created_at"
            case updatedAt = "updated_at"
        }
    }
}
