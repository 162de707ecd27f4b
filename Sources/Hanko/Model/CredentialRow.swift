import Crypto
import Essentials
import PlatformKit

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
        try members.encode(Base64URL.encode(credential.publicKey), forKey: .publicKey)
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
