import Essentials
import OpenID

extension WebClientSettings {
    /// Puts what a body says into a client. Members that are absent leave nothing of what was there before: a change begins with
    /// ``json(of:)`` of the client.
    ///
    /// - Throws: ``AdministrationRefusal/invalid(_:)`` with everything that is wrong.
    static func apply(_ members: [String: JSONValue], to client: inout Client) throws {
        var input = ManagementInput(members)
        client.metadata.clientName = input.text("name", isRequired: true)
        readMethod(&input, into: &client)
        readGrants(&input, into: &client.metadata)
        readRedirects(&input, into: &client.metadata)
        readLifetimes(&input, into: &client.metadata)
        readScopes(&input, into: &client.metadata)
        client.metadata.skipsConsent = input.flag("consent_disabled")
        client.metadata.logoURI = input.text("logo_uri")
        var vendor = input.members.filter { !mapped.contains($0.key) && $0.key != deletesTokens }
        readOpenID(&input, into: &client.metadata, &vendor)
        if let kept = client.metadata.vendor?[MobileExtension.hashedSecret] {
            vendor[MobileExtension.hashedSecret] = kept
        }
        client.metadata.vendor = vendor.isEmpty ? nil : vendor
        readAudiences(&input, into: &client.metadata)
        checkRules(of: client, &input)
        try input.check()
    }

    private static func readMethod(_ input: inout ManagementInput, into client: inout Client) {
        let grants = input.members["grant_types"]?.strings ?? []
        let method =
            input.choice("client_authentication_method", of: methods)
            ?? (grants.contains("DEVICE_CODE") ? "PUBLIC" : "CLIENT_SECRET_BASIC")
        switch method {
        // The vendor has one word for both ways of sending a secret; what a fixture file said about it stays.
        case "CLIENT_SECRET_BASIC" where client.authentication == .post || client.authentication == .basic:
            break
        case "CLIENT_SECRET_BASIC": client.metadata.tokenEndpointAuthMethod = nil
        case "PRIVATE_KEY_JWT": client.metadata.tokenEndpointAuthMethod = .privateKeyJWT
        default: client.metadata.tokenEndpointAuthMethod = ClientAuthenticationMethod.none
        }
        ClientProof.read(&input, into: &client)
    }

    private static func readGrants(_ input: inout ManagementInput, into metadata: inout ClientMetadata) {
        let names = input.texts("grant_types", isRequired: true) ?? []
        let known = grantTypes.map(\.0)
        for name in names where !known.contains(name) {
            input.fail(
                "grant_types", "must be some of \(known.joined(separator: ", ")), not \"\(name.prefix(40))\"")
        }
        if names.isEmpty, input.members["grant_types"]?.array == [] {
            input.fail("grant_types", "must name at least one grant type")
        }
        let refreshes = input.flag("refresh_token_enabled") ?? false
        metadata.grantTypes =
            grantTypes.filter { names.contains($0.0) }.map(\.1) + (refreshes ? [GrantType.refreshToken] : [])
        metadata.issuesRefreshTokens = refreshes
        metadata.responseTypes =
            (names.contains("AUTHORIZATION_CODE") ? ["code"] : [])
            + (names.contains("IMPLICIT") ? ["id_token", "id_token token"] : [])
        let format = input.choice("access_token_format", of: ["OPAQUE", "JWT"]) ?? "OPAQUE"
        metadata.accessTokenFormat = format == "JWT" ? .jwt : .opaque
    }

    private static func readRedirects(_ input: inout ManagementInput, into metadata: inout ClientMetadata) {
        let all =
            [input.text("redirect_url")].compactMap { $0 } + (input.texts("additional_redirect_urls") ?? [])
        metadata.redirectURIs = all.unique
    }

    private static func readLifetimes(_ input: inout ManagementInput, into metadata: inout ClientMetadata) {
        metadata.authorizationCodeLifetime = input.integer("access_grant_expires_in", in: 1...86_400)
        metadata.accessTokenLifetime = input.integer("access_token_expires_in", in: 1...315_360_000)
        metadata.refreshTokenLifetime = input.integer("refresh_token_expires_in", in: 1...315_360_000)
        metadata.refreshTokenMaxLifetime = input.integer("max_refresh_token_validity", in: 1...315_360_000)
        // Off when left out, as a truth value is: assumed.
        let isAllowed = input.flag("simultaneous_sessions_allowed") ?? false
        let limit = input.integer("max_simultaneous_sessions", in: 2...25)
        metadata.maxSimultaneousSessions = isAllowed ? limit ?? 25 : 1
    }

    private static func readScopes(_ input: inout ManagementInput, into metadata: inout ClientMetadata) {
        let defaults = ScopeList(input.texts("default_scopes") ?? [])
        let others = input.texts("additional_scopes") ?? []
        metadata.defaultScope = defaults.isEmpty ? nil : defaults.text
        metadata.scope = ScopeList(defaults.names + others).text
    }

    private static func readAudiences(_ input: inout ManagementInput, into metadata: inout ClientMetadata) {
        let gateways = input.texts("resource_gateway_ids") ?? []
        let audiences = ((input.texts("additional_audiences") ?? []) + gateways).unique
        if let spaced = audiences.first(where: { ScopeList($0).names != [$0] }) {
            input.fail(
                "additional_audiences", "must be texts without white space, not \"\(spaced.prefix(40))\"")
        }
        metadata.audiences = audiences.isEmpty ? nil : audiences
    }

    private static func readOpenID(
        _ input: inout ManagementInput, into metadata: inout ClientMetadata,
        _ vendor: inout [String: JSONValue]
    ) {
        var inner = ManagementInput(input.object("open_id_connect") ?? [:])
        metadata.idTokenLifetime = inner.integer("expiration_time_seconds", in: 1...315_360_000)
        metadata.idTokenAudiences = inner.texts("additional_audiences")
        metadata.postLogoutRedirectURL = inner.text("post_logout_redirect_url")
        let targets = inner.texts("additional_post_logout_redirect_urls") ?? []
        metadata.postLogoutRedirectURIs = targets.isEmpty ? nil : targets.unique
        metadata.frontchannelLogoutURI = inner.text("front_channel_logout_url")
        if let flag = inner.flag(deletesTokens) { vendor[deletesTokens] = .boolean(flag) }
        for fault in inner.faults { input.fail("open_id_connect." + fault.name, fault.reason) }
        let kept = inner.members.filter { !mappedOpenID.contains($0.key) }
        if !kept.isEmpty { vendor["open_id_connect"] = .object(kept) }
    }

    /// What members say together.
    private static func checkRules(of client: Client, _ input: inout ManagementInput) {
        let metadata = client.metadata
        let usesBrowser = client.may(GrantType.authorizationCode) || client.may(GrantType.implicit)
        if usesBrowser, client.redirectURIs.isEmpty {
            input.fail("redirect_url", "is missing; the grant types need a browser to come back")
        }
        if client.may(GrantType.authorizationCode), input.members["access_grant_expires_in"] == nil {
            input.fail("access_grant_expires_in", "is missing; expected the seconds that a code is good for")
        }
        let issues = usesBrowser || client.may(GrantType.clientCredentials)
        if issues, input.members["access_token_expires_in"] == nil {
            input.fail("access_token_expires_in", "is missing; expected the seconds that a token is good for")
        }
        if metadata.vendor?["client_authentication_method"] == "PKCE",
            client.grantTypes.contains(where: {
                $0 != GrantType.authorizationCode && $0 != GrantType.refreshToken
            })
        {
            input.fail(
                "grant_types", "must be AUTHORIZATION_CODE alone for a client that proves itself by PKCE")
        }
        if client.may(GrantType.password), metadata.skipsConsent != true {
            input.fail("consent_disabled", "must be true for the grant type PASSWORD")
        }
        if metadata.refreshTokenLifetime != nil, metadata.issuesRefreshTokens != true {
            input.fail("refresh_token_expires_in", "needs refresh_token_enabled to be true")
        }
        if client.scopes.contains(ScopeList.openID), metadata.idTokenLifetime == nil {
            input.fail(
                "open_id_connect", "must have expiration_time_seconds, since the client has the scope openid")
        }
    }
}

extension [String] {
    /// Each once, where it came first.
    fileprivate var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
