import Essentials

/// A realm as Keycloak exports it, or several.
///
/// Source: Keycloak Admin REST API, RealmRepresentation, ClientRepresentation, UserRepresentation.
enum KeycloakRealm: ForeignFormat {
    static let title = "a realm export of Keycloak"

    static func fits(_ value: JSONValue) -> Bool {
        if let realms = value.array { return !realms.isEmpty && realms.allSatisfy(isRealm) }
        return isRealm(value)
    }

    private static func isRealm(_ value: JSONValue) -> Bool {
        let marks = [
            "clients", "users", "roles", "clientScopes", "keycloakVersion", "sslRequired", "defaultRoles",
        ]
        return value["realm"]?.string != nil && marks.contains { value[$0] != nil }
    }

    static func fixtures(of file: Foreign) -> JSONValue {
        guard file.value.array != nil else { return fixtures(ofRealm: file) }
        let realms = file.elements
        if realms.count > 1 {
            file.note(
                "\(realms.count) realms: they become one; make a world of each for users or clients of equal names"
            )
        }
        return realms.reduce(.object([:])) { $0.joined(with: fixtures(ofRealm: $1)) }
    }

    private static func fixtures(ofRealm realm: Foreign) -> JSONValue {
        realm.pass(
            "id", "realm", "displayName", "displayNameHtml", "enabled", "keycloakVersion", "sslRequired",
            "notBefore")
        let lifetimes = [
            ("authorization_code_lifetime", realm.number("accessCodeLifespan")),
            ("access_token_lifetime", realm.number("accessTokenLifespan")),
            ("id_token_lifetime", realm.number("accessTokenLifespan")),
            ("refresh_token_lifetime", realm.number("ssoSessionIdleTimeout")),
            ("refresh_token_max_lifetime", realm.number("ssoSessionMaxLifespan")),
        ].compactMap { name, seconds in seconds.flatMap { $0 > 0 ? (name, JSONValue.integer($0)) : nil } }
        let defaults = realm.texts("defaultDefaultClientScopes") + realm.texts("defaultOptionalClientScopes")
        let clients = realm.parts("clients").compactMap {
            client($0, Dictionary(uniqueKeysWithValues: lifetimes), defaults)
        }
        let named = realm.parts("clientScopes").compactMap { scope($0) }
        let users = realm.parts("users").compactMap { user($0) }
        let session = realm.number("ssoSessionMaxLifespan").map {
            JSONValue.object(["session_lifetime": .integer($0)])
        }
        let oauth = ImportedClient.object([
            ("clients", .array(clients)), ("users", .array(users)), ("pages", session),
            ("scopes", named.isEmpty ? nil : .array(named)),
            (
                "settings",
                clients.contains { $0["grant_types"]?.strings?.contains("implicit") == true }
                    ? ["implicit_grant": true] : nil
            ),
        ])
        return ["onegini": ["oauth": oauth]]
    }

    private static func scope(_ scope: Foreign) -> JSONValue? {
        guard let name = scope.text("name") else { return nil }
        let attributes = scope.part("attributes")
        let isAsked =
            attributes?.flag("display.on.consent.screen") == true
            && !(attributes?.text("consent.screen.text") ?? "").isEmpty
        attributes?.pass("include.in.token.scope", "display.on.consent.screen")
        scope.pass("id", "protocol")
        if Scopes.standardNames.contains(name) { scope.pass("description", "protocolMappers", "attributes") }
        return ImportedClient.object([
            ("name", .string(name)),
            ("description", Scopes.standardNames.contains(name) ? nil : .given(scope.text("description"))),
            ("needs_consent", isAsked && !Scopes.standardNames.contains(name) ? true : nil),
        ])
    }

    // MARK: Clients

    /// Those of every realm, for its own pages and tools.
    private static let ownClients: Set = [
        "account", "account-console", "admin-cli", "broker", "realm-management", "security-admin-console",
    ]

    private static func client(_ client: Foreign, _ lifetimes: [String: JSONValue], _ defaults: [String])
        -> JSONValue?
    {
        guard let id = client.text("clientId") else { return nil }
        guard !ownClients.contains(id) else {
            client.note(
                "Keycloak's own clients (\(ownClients.sorted().joined(separator: ", "))) are left out")
            return nil
        }
        client.pass(
            "id", "enabled", "rootUrl", "adminUrl", "surrogateAuthRequired", "nodeReRegistrationTimeout",
            "fullScopeAllowed", "notBefore", "frontchannelLogout", "alwaysDisplayInConsole")
        if client.text("protocol") == "saml" {
            client.note("\(id): a client of SAML, which is not emulated")
            return nil
        }
        if client.flag("enabled") == false {
            client.note("\(id): disabled there, and enabled here; take it out if that matters")
        }
        return .object(lifetimes).joined(
            with: client.flag("bearerOnly") == true ? api(id, client) : application(id, client, defaults))
    }

    /// A service that only looks at tokens.
    private static func api(_ id: String, _ client: Foreign) -> JSONValue {
        client.pass(
            "redirectUris", "webOrigins", "publicClient", "standardFlowEnabled", "directAccessGrantsEnabled",
            "serviceAccountsEnabled")
        return ImportedClient.object([
            ("client_id", .string(id)), ("client_name", .given(client.text("name"))), ("kind", "api"),
            ("client_secret", .given(client.text("secret"))),
            ("grant_types", []), ("response_types", []), ("scope", "onegini_api_token_introspection"),
            ("token_endpoint_auth_method", client.text("secret") == nil ? "none" : nil),
        ])
    }

    private static func application(_ id: String, _ client: Foreign, _ defaults: [String]) -> JSONValue {
        let attributes = client.part("attributes")
        let grants = grants(client, attributes)
        let redirects = ImportedClient.redirects(
            client.texts("redirectUris"), base: client.text("rootUrl") ?? client.text("baseUrl"), of: id,
            client)
        let logout = (attributes?.text("post.logout.redirect.uris") ?? "").split(separator: "##").map(
            String.init)
        let exact = logout.flatMap { $0 == "+" ? redirects.exact : [$0] }.filter {
            !$0.contains("*") && $0 != "-"
        }
        if logout.contains(where: { $0.contains("*") }) {
            client.note("\(id): patterns of post.logout.redirect.uris are left out")
        }
        let own = client.texts("defaultClientScopes")
        let scopes = Scopes.joined(
            ["openid"] + (own.isEmpty ? defaults : own) + client.texts("optionalClientScopes"))
        let isPublic = client.flag("publicClient") == true
        if isPublic { ImportedClient.notePublic(client) }
        if client.texts("webOrigins").contains(where: { $0 != "+" && $0 != "*" }) {
            client.note(
                "webOrigins: every web page may call here; settings.allowed_origins narrows that down")
        }
        return ImportedClient.object([
            ("client_id", .string(id)), ("client_name", .given(client.text("name"))),
            ("kind", redirects.isLenient ? "lenient" : nil),
            ("client_secret", isPublic ? nil : .given(secret(id, client))),
            ("token_endpoint_auth_method", isPublic ? "none" : nil),
            ("grant_types", JSONValue(grants)), ("response_types", JSONValue(responses(grants))),
            ("redirect_uris", .given(redirects.exact)), ("post_logout_redirect_uris", .given(exact)),
            ("scope", .string(scopes)), ("default_scope", .string(scopes)), ("access_token_format", "jwt"),
            ("access_token_lifetime", attributes?.number("access.token.lifespan").map { .integer($0) }),
            ("backchannel_logout_uri", .given(attributes?.text("backchannel.logout.url"))),
            ("skips_consent", client.flag("consentRequired") == true ? nil : true),
        ])
    }

    private static func secret(_ id: String, _ client: Foreign) -> String {
        if let secret = client.text("secret"), !secret.contains("*") { return secret }
        client.note("\(id): the export hides its secret (**********); here it is \(id)-secret")
        return id + "-secret"
    }

    private static func responses(_ grants: [String]) -> [String] {
        (grants.contains("authorization_code") ? ["code"] : [])
            + (grants.contains("implicit") ? ["id_token", "token", "id_token token"] : [])
    }

    private static func grants(_ client: Foreign, _ attributes: Foreign?) -> [String] {
        var grants: [String] = []
        // What the program itself takes for a member that is not there.
        if client.flag("standardFlowEnabled") ?? true { grants += ["authorization_code", "refresh_token"] }
        if client.flag("implicitFlowEnabled") == true { grants.append("implicit") }
        if client.flag("directAccessGrantsEnabled") == true { grants.append("password") }
        if client.flag("serviceAccountsEnabled") == true { grants.append("client_credentials") }
        if attributes?.flag("oauth2.device.authorization.grant.enabled") == true {
            grants.append("urn:ietf:params:oauth:grant-type:device_code")
        }
        if attributes?.flag("standard.token.exchange.enabled") == true {
            grants.append("urn:ietf:params:oauth:grant-type:token-exchange")
        }
        return grants
    }

    // MARK: Users

    private static func user(_ user: Foreign) -> JSONValue? {
        guard let name = user.text("username") ?? user.text("email") else { return nil }
        if let client = user.text("serviceAccountClientId") {
            user.note(
                "the service account of \(client) is left out: a token of client_credentials is about the client itself"
            )
            return nil
        }
        if user.flag("enabled") == false {
            user.note("the user \(name) is disabled there, and can log in here")
        }
        user.pass("createdTimestamp", "totp", "disableableCredentialTypes", "notBefore", "enabled", "access")
        return ImportedClient.object([
            ("sub", .string(user.text("id") ?? name)), ("username", .string(name)),
            ("password", .given(password(name, user))),
            ("claims", .object(claims(name, user))),
        ])
    }

    private static func password(_ name: String, _ user: Foreign) -> String? {
        for credential in user.parts("credentials") where credential.text("type") ?? "password" == "password"
        {
            credential.pass("temporary", "id", "createdDate", "userLabel")
            if let password = credential.text("value") { return password }
            credential.pass(
                "secretData", "credentialData", "hashedSaltedValue", "salt", "algorithm", "hashIterations")
            user.note("passwords that the export has as hashes are left out: these users log in by a click")
        }
        return nil
    }

    private static func claims(_ name: String, _ user: Foreign) -> [String: JSONValue] {
        var claims: [String: JSONValue] = ["preferred_username": .string(name)]
        claims["email"] = .given(user.text("email"))
        claims["email_verified"] =
            claims["email"] == nil ? nil : .boolean(user.flag("emailVerified") ?? false)
        claims["given_name"] = .given(user.text("firstName"))
        claims["family_name"] = .given(user.text("lastName"))
        claims["name"] = .given(
            [user.text("firstName"), user.text("lastName")].compactMap { $0 }.joined(separator: " "))
        let roles = user.texts("realmRoles")
        if !roles.isEmpty { claims["realm_access"] = .object(["roles": JSONValue(roles)]) }
        if let clients = user.any("clientRoles")?.object, !clients.isEmpty {
            claims["resource_access"] = .object(clients.mapValues { .object(["roles": $0]) })
        }
        claims["groups"] = .given(user.texts("groups"))
        for (attribute, value) in user.any("attributes")?.object ?? [:] where claims[attribute] == nil {
            // Each is a list, of which a mapper takes the first where it is of one value.
            claims[attribute] = value.array.flatMap { $0.count == 1 ? $0[0] : nil } ?? value
            user.note(
                "attributes of users are claims of the same names; mappers (protocolMappers) that rename or leave out some are not read"
            )
        }
        return ImportedUser.claims(claims, of: name, user)
    }
}
