import SQLite

/// Whose users, credentials and keys are kept apart from those of others.
struct Tenant: Record, Equatable {
    static let table: Table = "passkeyapi_tenant"

    static let migrations: [SQL] = [
        """
        CREATE TABLE passkeyapi_tenant (
            id TEXT NOT NULL PRIMARY KEY, -- UUID
            display_name TEXT NOT NULL,
            api_keys TEXT NOT NULL, -- JSON
            relying_party TEXT NOT NULL, -- JSON
            webauthn TEXT NOT NULL, -- JSON
            mfa TEXT NOT NULL, -- JSON
            cors TEXT NOT NULL, -- JSON
            stores_audit_log INTEGER NOT NULL CHECK (stores_audit_log IN (0, 1))
        ) STRICT
        """
    ]

    let id: String
    let displayName: String
    /// Of back ends: the field `apiKey`.
    let apiKeys: [String]
    let relyingParty: PartySettings
    let webauthn: CeremonySettings
    /// For credentials that are a second factor alone.
    let mfa: CeremonySettings
    let cors: CORSSettings
    let storesAuditLog: Bool

    enum CodingKeys: String, CodingKey {
        case id, webauthn, mfa, cors
        case displayName = "display_name"
        case apiKeys = "api_keys"
        case relyingParty = "relying_party"
        case storesAuditLog = "stores_audit_log"
    }

    /// All but id, relying party and its origins may be left out in fixtures; the values then are those of the admin API.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(String.self, forKey: .id)
        displayName = try members.decodeIfPresent(String.self, forKey: .displayName) ?? id
        apiKeys = try members.decodeIfPresent([String].self, forKey: .apiKeys) ?? []
        relyingParty = try members.decode(PartySettings.self, forKey: .relyingParty)
        webauthn = try members.decodeIfPresent(CeremonySettings.self, forKey: .webauthn) ?? .passkeys
        mfa = try members.decodeIfPresent(CeremonySettings.self, forKey: .mfa) ?? .secondFactors
        cors =
            try members.decodeIfPresent(CORSSettings.self, forKey: .cors)
            ?? CORSSettings(origins: relyingParty.origins.filter { $0.hasPrefix("http") })
        storesAuditLog = try members.decodeIfPresent(Bool.self, forKey: .storesAuditLog) ?? true
    }
}

/// For whom credentials are made.
struct PartySettings: Codable, Sendable, Equatable {
    /// A host name, such as `example.com`.
    let id: String
    let displayName: String
    /// `https://example.com`, `android:apk-key-hash:…`.
    let origins: [String]
    /// Ours: pages of this machine may use the tenant whatever their port.
    let allowsLocalhost: Bool

    enum CodingKeys: String, CodingKey {
        case id, origins
        case displayName = "display_name"
        case allowsLocalhost = "any_localhost_origin"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(String.self, forKey: .id)
        displayName = try members.decodeIfPresent(String.self, forKey: .displayName) ?? id
        origins = try members.decode([String].self, forKey: .origins)
        allowsLocalhost = try members.decodeIfPresent(Bool.self, forKey: .allowsLocalhost) ?? false
    }
}

/// Which pages of other origins may call.
struct CORSSettings: Codable, Sendable, Equatable {
    /// `*` allows every one, without credentials unless ``allowsUnsafeWildcard``.
    var origins: [String]
    var allowsUnsafeWildcard: Bool?

    enum CodingKeys: String, CodingKey {
        case origins
        case allowsUnsafeWildcard = "allow_unsafe_wildcard"
    }
}
