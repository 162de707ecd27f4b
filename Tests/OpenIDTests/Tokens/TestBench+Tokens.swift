import Essentials
import HTTP
import JOSE
import OpenID
import PlatformKit
import SQLite
import TestKit

@testable import OpenID

/// The people and clients of the token tests.
enum TokenCast {
    static let alice = "248289761001"
    static let callback = "https://app.example/cb"
    static let scope = "openid profile email address phone offline_access read write"

    /// RFC 7636 appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    private static let everything = """
        ["authorization_code", "refresh_token", "client_credentials", "password",
         "urn:ietf:params:oauth:grant-type:device_code", "urn:ietf:params:oauth:grant-type:token-exchange"]
        """

    /// - Parameter more: members of the client `web`, each behind a comma.
    static func fixtures(_ more: String) -> String {
        """
        "users": [{"sub": "\(alice)", "username": "alice", "password": "wonderland", "claims": {
            "name": "Alice Liddell", "given_name": "Alice", "family_name": "Liddell", "locale": "en-GB",
            "updated_at": 1700000000, "email": "alice@example.com", "email_verified": true,
            "phone_number": "+44 20 7946 0000", "phone_number_verified": false,
            "address": {"locality": "Oxford"}, "birthdate": "1852-05-04"}}],
        "clients": [
            {"client_id": "web", "client_secret": "web secret:%", "redirect_uris": ["\(callback)"],
             "grant_types": \(everything), "scope": "\(scope)",
             "audiences": ["https://api.example", "https://other.example"]\(more)},
            {"client_id": "other", "client_secret": "other-secret", "redirect_uris": ["\(callback)"],
             "grant_types": \(everything), "scope": "\(scope)"},
            {"client_id": "poster", "client_secret": "poster-secret", "redirect_uris": ["\(callback)"],
             "token_endpoint_auth_method": "client_secret_post",
             "grant_types": ["authorization_code", "client_credentials"], "scope": "\(scope)"},
            {"client_id": "app", "token_endpoint_auth_method": "none", "redirect_uris": ["com.example:/cb"],
             "grant_types": ["authorization_code", "refresh_token", "client_credentials",
                "urn:ietf:params:oauth:grant-type:device_code",
                "urn:ietf:params:oauth:grant-type:token-exchange"],
             "scope": "\(scope)"},
            {"client_id": "machine", "client_secret": "machine-secret", "grant_types": ["client_credentials"],
             "response_types": [], "scope": "read write", "access_token_format": "jwt"},
            {"client_id": "gateway", "client_secret": "gateway-secret", "kind": "api", "grant_types": [],
             "response_types": []}
        ]
        """
    }

    static let secrets = [
        "web": "web secret:%", "other": "other-secret", "machine": "machine-secret",
        "gateway": "gateway-secret",
    ]
}

extension TestBench where P == MountedServer {
    /// - Parameter more: members of the client `web`, such as `"refresh_token_grace": 30`.
    static func tokens(web more: String = "") throws -> TestBench<MountedServer> {
        try mounted(TokenCast.fixtures(more.isEmpty ? "" : ", " + more))
    }

    /// Sends a form as a client would that has a secret, or as `app`, which has none.
    func ask(_ path: String, _ fields: [(String, String)], as client: String = "web") -> Response {
        var headers: Headers = ["Content-Type": "application/x-www-form-urlencoded"]
        var fields = fields
        if let secret = TokenCast.secrets[client] {
            headers["Authorization"] = Self.basic(client, secret)
        } else if client == "poster" {
            fields += [("client_id", "poster"), ("client_secret", "poster-secret")]
        } else {
            fields.append(("client_id", client))
        }
        let body = fields.map { "\(Self.escaped($0))=\(Self.escaped($1))" }.joined(separator: "&")
        return send(.post, "/oauth" + path, body: Array(body.utf8), headers: headers)
    }

    /// What the authorization endpoint leaves behind when Alice logged in: a grant, and a code for it.
    ///
    /// - Returns: the code.
    func logIn(
        client: String = "web", _ name: String = "code", grant change: (inout Grant) -> Void = { _ in },
        code changeCode: (inout AuthorizationCode) -> Void = { _ in }
    ) throws -> String {
        let now = clock.now
        var grant = Grant(
            id: "grant-" + name, clientID: client, subject: TokenCast.alice,
            scope: ScopeList("openid profile email read"), issuer: issuer, type: GrantType.authorizationCode,
            sessionID: "session-1", authenticatedAt: now - 5, amr: ["pwd"], nonce: "n-0S6_WzA2Mj",
            createdAt: now)
        change(&grant)
        var code = AuthorizationCode(
            digest: Handle.digest(name), grantID: grant.id, clientID: client,
            redirectURI: TokenCast.callback,
            challenge: nil, challengeMethod: nil, issuedAt: now, expiresAt: now + 60)
        changeCode(&code)
        let (madeGrant, madeCode) = (grant, code)
        let server = server
        try world.database.write { db in
            try server.grants.insert(madeGrant, in: db)
            try server.codes.insert(madeCode, in: db)
        }
        return name
    }

    /// Trades a code as its client should.
    func redeem(_ code: String, as client: String = "web", _ more: [(String, String)] = []) -> Response {
        ask(
            "/token",
            [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", TokenCast.callback)]
                + more,
            as: client)
    }

    /// The fields of the token response to a fresh login.
    func loggedIn(
        client: String = "web", _ name: String = "code", grant change: (inout Grant) -> Void = { _ in }
    ) throws -> [String: String] {
        redeem(try logIn(client: client, name, grant: change), as: client).fields
    }

    func refresh(
        _ token: String?, as client: String = "web", _ more: [(String, String)] = []
    ) -> Response {
        ask(
            "/token", [("grant_type", "refresh_token"), ("refresh_token", token ?? "")] + more, as: client)
    }

    func userinfo(_ accessToken: String?) -> Response {
        get("/oauth/userinfo", headers: ["Authorization": "Bearer \(accessToken ?? "")"])
    }

    /// What an API learns of a token.
    func introspected(_ token: String?) throws -> JSONValue {
        try JSONValue(parsing: ask("/introspect", [("token", token ?? "")], as: "gateway").bytes)
    }

    /// Whether an API would learn that the token is good.
    func isActive(_ token: String?) -> Bool {
        ask("/introspect", [("token", token ?? "")], as: "gateway").fields["active"] == "true"
    }

    /// The claims of a JWT whose signature is right, and its header.
    func verified(_ jwt: String?) throws -> (header: JWSHeader, claims: JSONValue) {
        let keys = try server.services.keys.published(MountedServer.name).map(\.jwk)
        let verified = try JWS.verify(jwt ?? "", keys: keys)
        return (verified.header, try JSONValue(parsing: verified.payload))
    }
}

extension Response {
    /// Status and `error` of a refusal: `400 invalid_grant`.
    var refusal: String { "\(status.code) \(fields["error"] ?? "none")" }
}
