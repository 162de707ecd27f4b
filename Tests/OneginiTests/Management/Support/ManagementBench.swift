import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit

@testable import Onegini

/// A token server with one API client for everything and one for nothing.
struct ManagementBench {
    static let fixtures = """
        {"onegini": {
            "oauth": {
                "users": [{"sub": "ada", "claims": {
                    "name": "Ada", "email": "ada@example.com", "phone_number": "+3112345", "secret_claim": "x"}}],
                "clients": [
                    {"client_id": "portal", "client_secret": "portal secret", "kind": "api", "client_name": "Portal",
                     "scope": "onegini_api_admin onegini_api_config onegini_api_end_user onegini_api_events onegini_api_token_introspection"},
                    {"client_id": "idle", "client_secret": "idle secret", "kind": "api", "scope": "onegini_api_insights"},
                    {"client_id": "shop", "client_secret": "shop secret", "kind": "web", "client_name": "Shop",
                     "redirect_uris": ["https://shop.test/back"], "scope": "openid email profile",
                     "grant_types": ["authorization_code", "client_credentials"]}
                ]
            },
            "applications": [{"identifier": "com.example.app", "name": "Example", "redirect_uris": ["app://back"],
                "max_pin_attempts": 5, "resource_gateway_uris": ["https://gateway.test"],
                "versions": [{"platform": "ios", "version_name": "1.0.0", "status": "LOGIN_ONLY",
                    "application_signatures": ["sig"], "vendor": {"framework": "CORDOVA"}}]}]
        }}
        """

    static let device = String(repeating: "AB", count: 32)
    static let portal: Headers = ["Authorization": "Basic " + encoded("portal:portal secret")]
    static let idle: Headers = ["Authorization": "Basic " + encoded("idle:idle secret")]
    static let shop: Headers = ["Authorization": "Basic " + encoded("shop:shop secret")]

    static func encoded(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    let bench: TestBench<Onegini>
    var onegini: Onegini { Onegini(bench.world) }

    init() throws { bench = try TestBench(Onegini.self, fixtures: Self.fixtures) }

    func get(_ path: String) -> Response { bench.get(path, headers: Self.portal) }
    func delete(_ path: String) -> Response { bench.delete(path, headers: Self.portal) }
    func post(_ path: String, _ json: String = "{}") -> Response {
        bench.post(path, raw: json, headers: Self.portal)
    }
    func patch(_ path: String, _ json: String) -> Response {
        var headers = Self.portal
        headers["Content-Type"] = "application/json"
        return bench.send(.patch, path, body: Array(json.utf8), headers: headers)
    }

    /// A grant with an access token, and a refresh token if asked for. Their texts are `access-ID` and `refresh-ID`.
    func issue(
        _ id: String, to clientID: String, for subject: String? = "ada", scope: String = "openid email",
        amr: [String] = [], session: String? = nil, context: String? = nil, refresh: Bool = false
    ) throws {
        let server = onegini.server
        let now = server.now
        try onegini.database.write { db in
            try server.grants.insert(
                Grant(
                    id: "grant-" + id, clientID: clientID, subject: subject, scope: ScopeList(scope),
                    issuer: "http://localhost:8420/oauth", type: GrantType.authorizationCode,
                    sessionID: session,
                    amr: amr, context: context, createdAt: now), in: db)
            try server.accessTokens.insert(
                AccessToken(
                    digest: Digest.sha256(Array("access-\(id)".utf8)), id: "token-" + id,
                    grantID: "grant-" + id,
                    clientID: clientID, subject: subject, scope: ScopeList(scope), audience: [],
                    issuer: "http://localhost:8420/oauth", format: .opaque, issuedAt: now,
                    expiresAt: now + 900), in: db)
            guard refresh else { return }
            try server.refreshTokens.insert(
                RefreshToken(
                    digest: Digest.sha256(Array("refresh-\(id)".utf8)), id: "refresh-" + id,
                    grantID: "grant-" + id, clientID: clientID, scope: ScopeList(scope), issuedAt: now,
                    expiresAt: now + 86_400), in: db)
        }
    }

    /// A phone with profiles of the users, `AAAAA1` for the first.
    func addDevice(_ id: String = device, users: [String] = ["ada"], push: String? = nil) throws {
        let onegini = onegini
        let now = onegini.server.now
        try onegini.database.write { db in
            try onegini.server.clients.insert(
                Client(
                    id: id, secret: "phone secret", kind: "mobile", metadata: ClientMetadata(), createdAt: now
                ),
                in: db)
            try db.insert(
                Device(
                    clientID: id, application: "com.example.app", platform: .ios, version: "1.0.0",
                    name: "Ada's phone", model: "iPhone X", osVersion: nil, createdAt: now))
            for (index, user) in users.enumerated() {
                let profile = Profile(
                    clientID: id, id: "AAAAA\(index + 1)", subject: user, createdAt: now)
                try db.insert(profile)
                try db.save(
                    Enrollment(
                        of: profile, certificate: ["armored"], pushToken: push, enrolledAt: now))
            }
        }
    }

    func isAlive(_ id: String) throws -> Bool {
        let onegini = onegini
        let token = try onegini.server.accessToken("access-\(id)")
        return token?.isAlive(at: onegini.server.now) ?? false
    }

    /// Names of the events, the newest first.
    func eventTypes() throws -> [String] {
        try onegini.database.read { try $0.all(Event.self) }.map(\.type.rawValue).reversed()
    }
}
