import Essentials

/// Clients, users, or scopes of oidc-server-mock, the lists in its files and variables.
///
/// Source: README of oidc-server-mock; Duende IdentityServer, `Client`, `TestUser`, `ApiScope`, `IdentityResource`.
enum OIDCServerMock: ForeignFormat {
    static let title = "a list of clients, users or scopes of oidc-server-mock"
    static let ignoresCase = true

    static func fits(_ value: JSONValue) -> Bool {
        guard let entries = value.array, !entries.isEmpty else { return false }
        return entries.allSatisfy { entry in
            let names = Set((entry.object ?? [:]).keys.map { $0.lowercased() })
            return names.contains("clientid") || names.contains("subjectid")
                || names.isSuperset(of: ["username", "password"])
                || names.contains("name")
                    && !names.isDisjoint(with: ["claimtypes", "userclaims", "scopes", "displayname"])
        }
    }

    static func fixtures(of file: Foreign) -> JSONValue {
        var oauth: JSONValue = .object([:])
        for entry in file.elements {
            if let id = entry.text("ClientId") {
                oauth = oauth.joined(with: ["clients": [client(id, entry)]])
            } else if let name = entry.text("Username") ?? entry.text("SubjectId") {
                oauth = oauth.joined(with: ["users": [user(name, entry)]])
            } else if let name = entry.text("Name") {
                oauth = oauth.joined(with: ["scopes": scopes(name, entry)])
            }
        }
        let isImplicit =
            oauth["clients"]?.array?.contains { $0["grant_types"]?.strings?.contains("implicit") == true }
            == true
        if isImplicit { oauth = oauth.joined(with: ["settings": ["implicit_grant": true]]) }
        return ["onegini": ["oauth": oauth]]
    }

    private static func client(_ id: String, _ entry: Foreign) -> JSONValue {
        let redirects = ImportedClient.redirects(entry.texts("RedirectUris"), base: nil, of: id, entry)
        let offline = entry.flag("AllowOfflineAccess") == true
        let scope = Scopes.joined(entry.texts("AllowedScopes") + (offline ? ["offline_access"] : []))
        let grants = grants(entry.texts("AllowedGrantTypes"), offline, id, entry)
        let secret = secret(id, entry)
        if secret == nil { ImportedClient.notePublic(entry) }
        let logout = entry.texts("PostLogoutRedirectUris")
        if logout.contains(where: { $0.contains("*") }) {
            entry.note("\(id): patterns of PostLogoutRedirectUris are left out")
        }
        if entry.any("Claims")?.array?.isEmpty == false {
            entry.note("\(id): claims of a client (Claims) have no place in its tokens")
        }
        entry.pass(
            "Enabled", "AllowAccessTokensViaBrowser", "AlwaysIncludeUserClaimsInIdToken",
            "AlwaysSendClientClaims", "Description", "RequireClientSecret")
        return ImportedClient.object([
            ("client_id", .string(id)), ("client_name", .given(entry.text("ClientName"))),
            ("client_uri", .given(entry.text("ClientUri"))),
            ("kind", redirects.isLenient ? "lenient" : nil), ("client_secret", .given(secret)),
            ("token_endpoint_auth_method", secret == nil ? "none" : nil), ("grant_types", JSONValue(grants)),
            ("response_types", JSONValue(responses(grants))), ("redirect_uris", .given(redirects.exact)),
            ("post_logout_redirect_uris", .given(logout.filter { !$0.contains("*") && $0.contains(":") })),
            ("scope", .given(scope)), ("default_scope", .given(scope)),
            (
                "access_token_format",
                ["Reference", "1"].contains(entry.text("AccessTokenType")) ? "opaque" : "jwt"
            ),
            ("access_token_lifetime", entry.number("AccessTokenLifetime").map { .integer($0) }),
            ("id_token_lifetime", entry.number("IdentityTokenLifetime").map { .integer($0) }),
            ("authorization_code_lifetime", entry.number("AuthorizationCodeLifetime").map { .integer($0) }),
            ("refresh_token_lifetime", entry.number("SlidingRefreshTokenLifetime").map { .integer($0) }),
            ("refresh_token_max_lifetime", entry.number("AbsoluteRefreshTokenLifetime").map { .integer($0) }),
            ("backchannel_logout_uri", .given(entry.text("BackChannelLogoutUri"))),
            ("frontchannel_logout_uri", .given(entry.text("FrontChannelLogoutUri"))),
            ("skips_consent", entry.flag("RequireConsent") == true ? nil : true),
        ])
    }

    /// Nil for a client that needs none.
    private static func secret(_ id: String, _ entry: Foreign) -> String? {
        let secrets = entry.any("ClientSecrets")?.array ?? []
        if entry.flag("RequireClientSecret") == false { return nil }
        if secrets.count > 1 { entry.note("\(id): of several secrets the first is taken") }
        return secrets.first.flatMap { $0.string ?? $0["Value"]?.string ?? $0["value"]?.string }
    }

    private static func responses(_ grants: [String]) -> [String] {
        (grants.contains("authorization_code") ? ["code"] : [])
            + (grants.contains("implicit") ? ["id_token", "token", "id_token token"] : [])
    }

    private static func grants(_ given: [String], _ offline: Bool, _ id: String, _ entry: Foreign) -> [String]
    {
        let known: Set = [
            "authorization_code", "client_credentials", "implicit", "password",
            "urn:ietf:params:oauth:grant-type:device_code",
            "urn:ietf:params:oauth:grant-type:token-exchange",
        ]
        for type in given where !known.contains(type) {
            entry.note("\(id): the grant type “\(type)” is not emulated")
        }
        return given.filter(known.contains) + (offline ? ["refresh_token"] : [])
    }

    private static func user(_ name: String, _ entry: Foreign) -> JSONValue {
        var claims: [String: JSONValue] = [:]
        for claim in entry.parts("Claims") {
            guard let type = claim.text("Type"), let value = claim.any("Value") else { continue }
            let read = value.string.map { self.value($0, claim.text("ValueType")) } ?? value
            // One that stands there several times is a list.
            claims[type] = claims[type].map { .array(($0.array ?? [$0]) + [read]) } ?? read
        }
        claims = ImportedUser.claims(claims, of: name, entry)
        entry.pass("IsActive", "ProviderName", "ProviderSubjectId")
        return ImportedClient.object([
            ("sub", .string(entry.text("SubjectId") ?? name)), ("username", .string(name)),
            ("password", .given(entry.text("Password"))),
            ("claims", claims.isEmpty ? nil : .object(claims)),
        ])
    }

    /// Claims are texts there, with the type of what they say.
    private static func value(_ text: String, _ type: String?) -> JSONValue {
        let kind = type?.lowercased() ?? "string"
        let isTyped = ["boolean", "integer", "integer32", "integer64", "double", "json"].contains {
            kind.hasSuffix($0)
        }
        // What does not read as its type says stays the text that it is.
        return isTyped ? (try? JSONValue(parsing: Array(text.utf8))) ?? .string(text) : .string(text)
    }

    private static func scopes(_ name: String, _ entry: Foreign) -> JSONValue {
        let own = entry.texts("Scopes")
        if !own.isEmpty {
            entry.note(
                "\(name): an API is an audience here; write it into audiences of the clients that call it")
        }
        if !entry.texts("ClaimTypes").isEmpty || !entry.texts("UserClaims").isEmpty {
            entry.note(
                "claims of scopes (ClaimTypes, UserClaims): claims that no standard scope has are in all tokens of a user; claims_by_scope changes that"
            )
        }
        let description = entry.text("Description") ?? entry.text("DisplayName")
        entry.pass("Enabled", "ShowInDiscoveryDocument", "DisplayName")
        guard own.isEmpty else { return .array(own.map { .object(["name": .string($0)]) }) }
        let isStandard = Scopes.standardNames.contains(name)
        return [
            ImportedClient.object([
                ("name", .string(name)), ("description", isStandard ? nil : .given(description)),
            ])
        ]
    }
}
