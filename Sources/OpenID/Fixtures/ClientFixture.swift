package import Essentials

/// One client in a fixture file: the names of RFC 7591 beside those below.
package struct ClientFixture: Codable, Sendable {
    package var id: String
    package var secret: String?
    /// In the words of the platform that mounts the server; without a word `web`.
    package var kind: String?
    package var createdAt: Date?
    /// SHA-256 of its registration access token, in base64url.
    package var registrationDigest: DigestText?
    package var metadata: ClientMetadata

    private enum CodingKeys: String, CodingKey {
        case id = "client_id"
        case secret = "client_secret"
        case kind
        case createdAt = "created_at"
        case registrationDigest = "registration_token_digest"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        secret = try container.decodeIfPresent(String.self, forKey: .secret)
        kind = try container.decodeIfPresent(String.self, forKey: .kind)
        createdAt = try container.decodeIfPresent(Date.self, forKey: .createdAt)
        registrationDigest = try container.decodeIfPresent(DigestText.self, forKey: .registrationDigest)
        metadata = try ClientMetadata(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        try metadata.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encodeIfPresent(secret, forKey: .secret)
        try container.encodeIfPresent(kind, forKey: .kind)
        try container.encodeIfPresent(createdAt, forKey: .createdAt)
        try container.encodeIfPresent(registrationDigest, forKey: .registrationDigest)
    }
}

extension ClientFixture {
    init(_ client: Client) {
        (id, secret, kind) = (client.id, client.secret, client.kind)
        (createdAt, metadata) = (client.createdAt, client.metadata)
        registrationDigest = client.registrationDigest.map(DigestText.init)
    }

    var client: Client {
        Client(
            id: id, secret: secret, kind: kind ?? "web", metadata: metadata,
            registrationDigest: registrationDigest?.bytes, createdAt: createdAt ?? .fixtures)
    }
}

extension Date {
    /// The time of an entry that says none: 2026-01-01T00:00:00Z.
    static let fixtures = Date(timeIntervalSince1970: 1_767_225_600)
}
