package import Essentials
import HTTP
import PlatformKit
package import SQLite

/// Somebody who may ask this server for tokens.
package struct Client: Record, Equatable {
    package static let table = Table("openid_client", key: "server", "id", order: "position")

    package var id: String
    /// Nil for a client that has none: a public one, or one with a key pair.
    package var secret: String?
    /// What sort it is, in the words of the platform that mounts the server: `web`, `mobile`, `api`, or `registered` for one that
    /// registered itself.
    package var kind: String
    package var metadata: ClientMetadata
    /// SHA-256 of its registration access token.
    package var registrationDigest: [UInt8]?
    package var createdAt: Date

    package enum CodingKeys: String, CodingKey {
        case id, secret, kind, metadata
        case registrationDigest = "registration_digest"
        case createdAt = "created_at"
    }

    package init(
        id: String, secret: String?, kind: String, metadata: ClientMetadata,
        registrationDigest: [UInt8]? = nil, createdAt: Date
    ) {
        (self.id, self.secret, self.kind, self.metadata) = (id, secret, kind, metadata)
        (self.registrationDigest, self.createdAt) = (registrationDigest, createdAt)
    }

    /// By hand, because decoding metadata costs more than the query that brought them: see ``MetadataCache``.
    package init(row: Row) throws {
        self.init(
            id: try row.text("id"), secret: try row.optionalText("secret"), kind: try row.text("kind"),
            metadata: try MetadataCache.shared.metadata(try row.text("metadata")),
            registrationDigest: try row.optionalBlob("registration_digest"),
            createdAt: try row.date("created_at"))
    }
}

extension Client {
    package var name: String { metadata.clientName ?? id }
    /// Without a word in its metadata: `client_secret_basic`. Source: RFC 7591 §2.
    package var authentication: ClientAuthenticationMethod { metadata.tokenEndpointAuthMethod ?? .basic }
    package var isPublic: Bool { authentication == .none }
    package var grantTypes: [String] { metadata.grantTypes ?? [GrantType.authorizationCode] }
    package var responseTypes: [String] { metadata.responseTypes ?? ["code"] }
    /// As they were given; in fixtures one may be a path, which means this server: see ``redirectURIs(at:)``.
    package var redirectURIs: [String] { metadata.redirectURIs ?? [] }

    /// Absolute: a path is one of this server's own pages, in the world and at the address of `request`.
    func redirectURIs(at request: Request) -> [String] {
        redirectURIs.map { $0.hasPrefix("/") ? request.worldURL + $0 : $0 }
    }

    /// The paths among them, at the address of `request`: below the world, at the host name of their platform, such as
    /// `http://blue--hanko.localhost:8420/…`, and at its own port.
    func ownPages(at request: Request) -> [String] {
        redirectURIs.filter { $0.hasPrefix("/") }.flatMap { path in
            [request.worldURL + path] + (Self.page(path, atHostUnder: request).map { [$0] } ?? [])
                + Self.pages(path, atPortsBeside: request)
        }
    }

    private static func pages(_ path: String, atPortsBeside request: Request) -> [String] {
        guard !request.doors.isEmpty else { return [] }
        let parts = request.worldURL.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return [] }
        let world = parts.count == 5 ? String(parts[4]) : Worlds.defaultName
        let host =
            parts[2].hasPrefix("[") ? parts[2].prefix { $0 != "]" } + "]" : parts[2].prefix { $0 != ":" }
        let mount = path.dropFirst().prefix { $0 != "/" }
        let own = request.doors[ListeningPorts.name(world: world, mount: String(mount))].map { port in
            "\(parts[0])//\(host):\(port)" + path.dropFirst(1 + mount.count)
        }
        let whole = request.doors[ListeningPorts.name(world: world)].map {
            "\(parts[0])//\(host):\($0)\(path)"
        }
        return [own, whole].compactMap { $0 }
    }

    private static func page(_ path: String, atHostUnder request: Request) -> String? {
        let parts = request.worldURL.split(separator: "/", omittingEmptySubsequences: false)
        guard request.namesPlatforms, parts.count == 3 || parts.count == 5 else { return nil }
        let mount = path.dropFirst().prefix { $0 != "/" }
        let place = parts.count == 5 ? parts[4] + "--" : ""
        return "\(parts[0])//\(place)\(mount).\(parts[2])" + path.dropFirst(1 + mount.count)
    }

    /// The same as they were where a flow began: the client's back end may reach this server by another name than its users do.
    func redirectURIs(under issuer: String, at request: Request) -> [String] {
        guard let scheme = issuer.firstRange(of: "://") else { return [] }
        let authority = issuer[scheme.upperBound...].prefix { $0 != "/" }
        let place = request.worldURL.firstRange(of: "://").map { scheme in
            request.worldURL[scheme.upperBound...].drop { $0 != "/" }
        }
        let base = issuer[..<scheme.upperBound] + authority + (place ?? "")
        return redirectURIs.map { $0.hasPrefix("/") ? base + $0 : $0 }
    }

    package func may(_ grantType: String) -> Bool { grantTypes.contains(grantType) }

    /// Scopes that it may ask for.
    package var scopes: ScopeList { ScopeList(metadata.scope ?? "") }
    package var defaultScopes: ScopeList? { metadata.defaultScope.map { ScopeList($0) } }

    /// Without a word: when it may refresh. Source: Token Server documentation, a flag of each client there.
    package var getsRefreshTokens: Bool { metadata.issuesRefreshTokens ?? may(GrantType.refreshToken) }
    package var accessTokenFormat: AccessTokenFormat { metadata.accessTokenFormat ?? .opaque }
    package var idTokenAlgorithm: String { metadata.idTokenSignedResponseAlg ?? "RS256" }

    package var codeSeconds: Int { metadata.authorizationCodeLifetime ?? 60 }
    package var accessTokenSeconds: Int { metadata.accessTokenLifetime ?? 3600 }
    /// Two weeks.
    package var refreshTokenSeconds: Int { metadata.refreshTokenLifetime ?? 1_209_600 }
    /// Ninety days.
    package var refreshTokenMaxSeconds: Int { metadata.refreshTokenMaxLifetime ?? 7_776_000 }
    package var refreshGraceSeconds: Int { metadata.refreshTokenGrace ?? 0 }
    package var idTokenSeconds: Int { metadata.idTokenLifetime ?? 3600 }
}

extension ServerRecords<Client> {
    /// Without waiting for the database where the client is known already.
    package func find(_ id: String, in database: Database) throws -> Client? {
        try database.read(keeping: "openid_client \(server) \(id)") { db in try find(id, in: db) }
    }

    package func find(_ id: String, in db: Connection) throws -> Client? {
        try first(where: "id = \(id)", in: db)
    }

    /// Replaces everything but the id.
    package func update(_ client: Client, in db: Connection) throws {
        db.forgetReads()
        try write(client, in: db)
    }

    /// Takes the client away and ends its grants, consents and open requests. False when there was none.
    @discardableResult
    package func remove(_ id: String, at now: Date, in db: Connection) throws -> Bool {
        db.forgetReads()
        try ServerRecords<Grant>(server: server).end(.init(clientID: id), .clientRemoved, at: now, in: db)
        try ServerRecords<Consent>(server: server).delete(where: "client_id = \(id)", in: db)
        try ServerRecords<PushedRequest>(server: server).delete(where: "client_id = \(id)", in: db)
        try ServerRecords<DeviceRequest>(server: server).delete(where: "client_id = \(id)", in: db)
        return try delete(where: "id = \(id)", in: db)
    }
}

/// The grants that this server knows, as `grant_type` spells them.
package enum GrantType {
    package static let authorizationCode = "authorization_code"
    package static let refreshToken = "refresh_token"
    package static let clientCredentials = "client_credentials"
    package static let deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
    package static let tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
    package static let implicit = "implicit"
    package static let password = "password"
}
