import Crypto
import Essentials
import PlatformKit
import SQLite

/// Tokens, recovery codes and claims of users. Temporary keys and the memory of repeats live for minutes and are not exported.
extension PowerAuth {
    /// - Parameter path: of the section.
    static func load(_ fixtures: MobileFixtures, at path: [String], into db: Connection) throws {
        let activations = Set(try ActivationStore().all(in: db).map(\.id))
        var ids: Set<String> = []
        for (index, token) in (fixtures.tokens ?? []).enumerated() {
            let path = path + ["tokens", String(index)]
            try FixtureRules.requireUnique(token.id, in: &ids, at: path + ["id"])
            guard activations.contains(token.activation) else {
                throw FixtureProblem(
                    at: path + ["activation"],
                    "there is no activation \"\(token.activation.prefix(60))\"")
            }
            try TokenStore().insert(try read(token, at: path), in: db)
        }
        var codes: Set<String> = []
        for (index, code) in (fixtures.recoveryCodes ?? []).enumerated() {
            let path = path + ["recovery_codes", String(index)]
            try FixtureRules.requireUnique(
                code.application + " " + code.code, in: &codes, at: path + ["code"])
            try RecoveryStore().insert(try read(code, at: path, in: db), in: db)
        }
        for (user, claims) in fixtures.userClaims ?? [:] {
            try UserClaimsStore().set(claims, of: user, in: db)
        }
    }

    private static func read(_ fixture: TokenFixture, at path: [String]) throws -> Token {
        try FixtureRules.requireUUID(fixture.id, at: path + ["id"])
        let secret = try FixtureRules.requireBase64(fixture.secret, [16], at: path + ["secret"])
        guard let type = SignatureType(rawValue: fixture.type) else {
            throw FixtureProblem(
                at: path + ["type"],
                "expected one of " + SignatureType.allCases.map(\.rawValue).joined(separator: ", ")
                    + ", found \"\(fixture.type.prefix(60))\"")
        }
        return Token(
            id: fixture.id, activation: fixture.activation, secret: secret, type: type,
            createdAt: fixture.createdAt ?? Date(timeIntervalSince1970: 0))
    }

    private static func read(
        _ fixture: RecoveryCodeFixture, at path: [String], in db: Connection
    ) throws -> RecoveryCode {
        do {
            _ = try ActivationCode(fixture.code)
        } catch let fault as ProtocolFault {
            throw FixtureProblem(at: path + ["code"], "\(fault)")
        }
        guard try ApplicationStore().find(fixture.application, in: db) != nil else {
            throw FixtureProblem(
                at: path + ["application"], "there is no application \"\(fixture.application.prefix(60))\"")
        }
        for (index, puk) in fixture.puks.enumerated() {
            guard puk.value.utf8.count == 10, puk.value.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
                throw FixtureProblem(
                    at: path + ["puks", String(index), "value"],
                    "expected ten digits, found \"\(puk.value.prefix(60))\"")
            }
        }
        return RecoveryCode(
            code: fixture.code, application: fixture.application, user: fixture.user,
            activation: fixture.activation, state: fixture.state,
            failedAttempts: fixture.failedAttempts ?? 0, puks: fixture.puks)
    }

    /// Nil when there is nothing.
    static func exportMobile(from db: Connection) throws -> MobileFixtures? {
        let tokens = try TokenStore().all(in: db).map { token in
            TokenFixture(
                id: token.id, activation: token.activation, secret: Base64.encode(token.secret),
                type: token.type.rawValue, createdAt: token.createdAt)
        }
        let codes = try RecoveryStore().all(in: db).map { code in
            RecoveryCodeFixture(
                code: code.code, application: code.application, user: code.user,
                activation: code.activation, state: code.state, failedAttempts: code.failedAttempts,
                puks: code.puks)
        }
        let claims = try UserClaimsStore().all(in: db)
        guard !tokens.isEmpty || !codes.isEmpty || !claims.isEmpty else { return nil }
        return MobileFixtures(
            tokens: tokens.isEmpty ? nil : tokens, recoveryCodes: codes.isEmpty ? nil : codes,
            userClaims: claims.isEmpty ? nil : claims)
    }
}
