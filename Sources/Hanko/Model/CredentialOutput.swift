import Crypto
import Essentials

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
        try members.encode(Base64URL.encode(credential.publicKey), forKey: .publicKey)
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
