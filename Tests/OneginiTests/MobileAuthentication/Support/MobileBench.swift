import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit

@testable import Onegini

/// A world with a portal, two users with a device each, and keys from the vectors. Ada's device has push, Grace's has not.
struct MobileBench {
    static let portal: Headers = ["Authorization": "Basic " + base64("portal:portal-secret")]
    static let adaDevice = String(repeating: "A1", count: 32)
    static let graceDevice = String(repeating: "B2", count: 32)
    static let adaToken = String(repeating: "0A", count: 32)
    static let graceToken = String(repeating: "0B", count: 32)
    static let refreshToken = String(repeating: "0C", count: 32)
    /// Nobody listens there.
    static let callbackURI = "http://127.0.0.1:1/callback"

    let bench: TestBench<Onegini>
    let onegini: Onegini

    /// - Parameters:
    ///   - settings: members of `mobile_authentication`.
    ///   - section: more members of the section `onegini`, each with a comma behind it.
    init(_ settings: String = "\"callback_retries\": 0", section: String = "", maxPINAttempts: Int = 3) throws
    {
        bench = try TestBench(
            Onegini.self, fixtures: Self.fixtures(settings, section, maxPINAttempts: maxPINAttempts))
        onegini = Onegini(bench.world)
        try addTokens()
    }

    private static func fixtures(_ settings: String, _ section: String, maxPINAttempts: Int) -> String {
        let vectors = OpenPGPVectors.shared
        return """
            {"onegini": {
                \(section)
                "oauth": {
                    "users": [{"sub": "ada"}, {"sub": "grace"}, {"sub": "linus"}],
                    "clients": [
                        {"client_id": "portal", "client_secret": "portal-secret", "kind": "api",
                         "scope": "onegini_api_mobile_authentication"},
                        {"client_id": "reader", "client_secret": "reader-secret", "kind": "api",
                         "scope": "onegini_api_events"}
                    ]
                },
                "pgp": {"created_at": "2024-01-01T00:00:00Z", "primary": \(lines(vectors.deviceRSAPEM)),
                        "encryption": \(lines(vectors.serverEncryptionPEM))},
                "applications": [{"identifier": "app", "name": "The App", "max_pin_attempts": \(maxPINAttempts),
                    "versions": [{"version_name": "1.0", "platform": "android"}]}],
                "devices": [
                    \(device(adaDevice, "ada", "ADA001", "Ada's phone", "\"push_token\": \"push-of-ada\",")),
                    \(device(graceDevice, "grace", "GRACE1", "Grace's phone", ""))
                ],
                "mobile_authentication": {\(settings)}
            }}
            """
    }

    private static func device(
        _ id: String, _ user: String, _ profile: String, _ name: String, _ push: String
    ) -> String {
        """
        {"client_id": "\(id)", "client_secret": "secret", "application": "app", "platform": "android",
         "version": "1.0", "name": "\(name)", "profiles": [{"profile_id": "\(profile)", "sub": "\(user)",
         "enrollment": {\(push) "certificate": \(lines(OpenPGPVectors.shared.deviceRSA))}}]}
        """
    }

    private static func lines(_ text: String) -> String {
        JSONValue(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)).text
    }

    static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    // MARK: - The device's tokens

    private func addTokens() throws {
        try bench.world.database.write { db in
            try add(Self.adaToken, "ada", Self.adaDevice, "ADA001", in: db)
            try add(Self.graceToken, "grace", Self.graceDevice, "GRACE1", in: db)
            let now = bench.clock.now
            try onegini.server.refreshTokens.insert(
                RefreshToken(
                    digest: Digest.sha256(Array(Self.refreshToken.utf8)), id: "refresh-ada",
                    grantID: "grant-ada", clientID: Self.adaDevice, scope: ScopeList("openid"),
                    issuedAt: now, expiresAt: now + 1_000_000), in: db)
        }
    }

    private func add(
        _ token: String, _ user: String, _ clientID: String, _ profile: String, in db: Connection
    ) throws {
        let now = bench.clock.now
        try onegini.server.grants.insert(
            Grant(
                id: "grant-\(user)", clientID: clientID, subject: user, scope: ScopeList("openid"),
                issuer: "http://localhost:8420/oauth", type: GrantType.authorizationCode, sessionID: nil,
                authenticatedAt: now, acr: nil, amr: [], nonce: nil, claims: nil, audience: [], actor: nil,
                context: profile, createdAt: now), in: db)
        try onegini.server.accessTokens.insert(
            AccessToken(
                digest: Digest.sha256(Array(token.utf8)), id: "access-\(user)", grantID: "grant-\(user)",
                clientID: clientID, subject: user, scope: ScopeList("openid"), audience: [],
                issuer: "http://localhost:8420/oauth", format: .opaque, issuedAt: now,
                expiresAt: now + 100_000), in: db)
    }
}
