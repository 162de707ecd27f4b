import SQLite

/// Reads what happened since the fixtures were loaded, each list in an order that loading it keeps.
struct FixtureReader {
    let server: String
    let db: Connection

    func readState(into fixtures: inout OpenIDFixtures) throws {
        fixtures.grants = try GrantStore(server: server).all(in: db).map(GrantFixture.init).listed
        fixtures.codes = try db.all(
            AuthorizationCode.self,
            "SELECT * FROM openid_code WHERE server = \(server) ORDER BY issued_at, rowid"
        ).map(CodeFixture.init).listed
        fixtures.accessTokens = try db.all(
            AccessToken.self,
            "SELECT * FROM openid_access_token WHERE server = \(server) ORDER BY issued_at, rowid"
        ).map(AccessTokenFixture.init).listed
        fixtures.refreshTokens = try db.all(
            RefreshToken.self,
            "SELECT * FROM openid_refresh_token WHERE server = \(server) ORDER BY issued_at, rowid"
        ).map(RefreshTokenFixture.init).listed
        fixtures.sessions = try sessions().listed
        fixtures.consents = try db.all(
            Consent.self, "SELECT * FROM openid_consent WHERE server = \(server) ORDER BY rowid"
        )
        .map(ConsentFixture.init).listed
        fixtures.pushedRequests = try PushedRequestStore(server: server).all(in: db).map(
            PushedRequestFixture.init
        ).listed
        fixtures.deviceRequests = try db.all(
            DeviceRequest.self,
            "SELECT * FROM openid_device_request WHERE server = \(server) ORDER BY rowid"
        ).map(DeviceRequestFixture.init).listed
        fixtures.assertions = try db.all(
            AssertionFixture.self, "SELECT * FROM openid_assertion WHERE server = \(server) ORDER BY rowid"
        ).listed
    }

    private func sessions() throws -> [SessionFixture] {
        let store = SessionStore(server: server)
        return try db.all(
            BrowserSession.self, "SELECT * FROM openid_session WHERE server = \(server) ORDER BY rowid"
        ).map { SessionFixture($0, clients: try store.clients(of: $0.id, in: db)) }
    }
}

extension Array {
    /// Nil for none, so that an export says nothing of what is not there.
    package var listed: [Element]? { isEmpty ? nil : self }
}
