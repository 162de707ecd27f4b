import Crypto
import PlatformKit
import SQLite

// What happened since the fixtures were loaded. Clients and users of it may be gone.
extension FixtureWriter {
    mutating func writeState(_ fixtures: OpenIDFixtures) throws {
        for (path, entry) in places(fixtures.grants, "grants") { try write(entry.grant, at: path) }
        for (path, entry) in places(fixtures.codes, "codes") { try write(entry.code, at: path) }
        for (path, entry) in places(fixtures.accessTokens, "access_tokens") {
            try write(entry.token, at: path)
        }
        for (path, entry) in places(fixtures.refreshTokens, "refresh_tokens") {
            try write(entry.token, at: path)
        }
        for (path, entry) in places(fixtures.sessions, "sessions") { try write(entry, at: path) }
        for (path, entry) in places(fixtures.consents, "consents") { try write(entry.consent, at: path) }
        for (path, entry) in places(fixtures.pushedRequests, "pushed_requests") {
            try take(entry.digest.bytes, as: "request", at: path)
            try PushedRequestStore(server: server).insert(entry.request, in: db)
        }
        for (path, entry) in places(fixtures.deviceRequests, "device_requests") {
            try write(entry.request, at: path)
        }
        for (path, entry) in places(fixtures.assertions, "assertions") { try write(entry, at: path) }
    }

    /// Each entry with its place.
    private func places<Entry>(_ entries: [Entry]?, _ name: String) -> [([String], Entry)] {
        (entries ?? []).enumerated().map { ([name, String($0.offset)], $0.element) }
    }

    private mutating func take(_ digest: [UInt8], as kind: String, at path: [String]) throws {
        try take(Base64URL.encode(digest), as: kind + " digest", at: path + ["digest"])
    }

    private mutating func write(_ grant: Grant, at path: [String]) throws {
        try take(grant.id, as: "grant", at: path + ["id"])
        try GrantStore(server: server).insert(grant, in: db)
    }

    private mutating func write(_ code: AuthorizationCode, at path: [String]) throws {
        try take(code.digest, as: "code", at: path)
        try require(code.grantID, as: "grant", at: path + ["grant_id"])
        try CodeStore(server: server).insert(code, in: db)
    }

    private mutating func write(_ token: AccessToken, at path: [String]) throws {
        try take(token.digest, as: "access token", at: path)
        try take(token.id, as: "access token", at: path + ["id"])
        guard 0...1_000_000_000 ~= token.uses else {
            throw FixtureProblem(
                at: path + ["uses"], "expected a number from 0 to 1000000000, found \(token.uses)")
        }
        try require(token.grantID, as: "grant", at: path + ["grant_id"])
        try TokenStore(server: server).insert(token, in: db)
    }

    private mutating func write(_ token: RefreshToken, at path: [String]) throws {
        try take(token.digest, as: "refresh token", at: path)
        try take(token.id, as: "refresh token", at: path + ["id"])
        try require(token.grantID, as: "grant", at: path + ["grant_id"])
        try TokenStore(server: server).insert(token, in: db)
    }

    private mutating func write(_ entry: SessionFixture, at path: [String]) throws {
        try take(entry.id, as: "session", at: path + ["sid"])
        try take(entry.digest.bytes, as: "session", at: path)
        let store = SessionStore(server: server)
        try store.insert(entry.session, in: db)
        for part in entry.clients ?? [] {
            try store.note(client: part.clientID, issuer: part.issuer, in: entry.id, db)
        }
    }

    private mutating func write(_ consent: Consent, at path: [String]) throws {
        try take(consent.id, as: "consent", at: path + ["id"])
        try take(consent.subject + " " + consent.clientID, as: "consent of", at: path + ["client_id"])
        try ConsentStore(server: server).give(consent, in: db)
    }

    private mutating func write(_ request: DeviceRequest, at path: [String]) throws {
        try take(request.digest, as: "device code", at: path)
        try take(request.userCode, as: "user code", at: path + ["user_code"])
        guard (1...3600).contains(request.interval) else {
            throw FixtureProblem(at: path + ["interval"], "expected a number of seconds from 1 to 3600")
        }
        try DeviceRequestStore(server: server).insert(request, in: db)
    }

    private mutating func write(_ entry: AssertionFixture, at path: [String]) throws {
        try take(entry.clientID + " " + entry.id, as: "assertion", at: path + ["jti"])
        _ = try AssertionStore(server: server).insert(
            entry.id, of: entry.clientID, until: entry.expiresAt, in: db)
    }
}
