import Essentials
import OpenID
import PlatformKit

extension WebClientSettings {
    /// Puts what a body says into a client. Members that are absent leave nothing of what was there before: a change begins with
    /// ``json(of:)`` of the client.
    ///
    /// - Throws: ``AdministrationRefusal/invalid(_:)`` with everything that is wrong.
    static func apply(_ members: [String: JSONValue], to client: inout Client) throws {
        let input = Members.management(members)
        client.metadata.clientName = try input.text("name")
        try readMethod(input, into: &client)
        try readGrants(input, into: &client.metadata)
        try readRedirects(input, into: &client.metadata)
        try readLifetimes(input, into: &client.metadata)
        try readScopes(input, into: &client.metadata)
        client.metadata.skipsConsent = try input.optionalBoolean("consent_disabled")
        client.metadata.logoURI = try input.anyText("logo_uri")
        var vendor = input.values.filter { !mapped.contains($0.key) && $0.key != deletesTokens }
        try readOpenID(input, into: &client.metadata, &vendor)
        if let kept = client.metadata.vendor?[MobileExtension.hashedSecret] {
            vendor[MobileExtension.hashedSecret] = kept
        }
        client.metadata.vendor = vendor.isEmpty ? nil : vendor
        try readAudiences(input, into: &client.metadata)
        try checkRules(of: client, input)
        try input.check()
    }

    private static func readMethod(_ input: Members, into client: inout Client) throws {
        let grants = input.values["grant_types"]?.strings ?? []
        let method =
            try input.choice("client_authentication_method", of: methods)
            ?? (grants.contains("DEVICE_CODE") ? "PUBLIC" : "CLIENT_SECRET_BASIC")
        switch method {
        // The vendor has one word for both ways of sending a secret; what a fixture file said about it stays.
        case "CLIENT_SECRET_BASIC" where client.authentication == .post || client.authentication == .basic:
            break
        case "CLIENT_SECRET_BASIC": client.metadata.tokenEndpointAuthMethod = nil
        case "PRIVATE_KEY_JWT": client.metadata.tokenEndpointAuthMethod = .privateKeyJWT
        default: client.metadata.tokenEndpointAuthMethod = ClientAuthenticationMethod.none
        }
        try ClientProof.read(input, into: &client)
    }

    private static func readGrants(_ input: Members, into metadata: inout ClientMetadata) throws {
        let names = try input.texts("grant_types", isRequired: true) ?? []
        let known = grantTypes.map(\.0)
        for name in names where !known.contains(name) {
            try input.fail(
                "grant_types", "must be some of \(known.joined(separator: ", ")), not “\(name.prefix(40))”")
        }
        if names.isEmpty, input.values["grant_types"]?.array == [] {
            try input.fail("grant_types", "must name at least one grant type")
        }
        let refreshes = try input.optionalBoolean("refresh_token_enabled") ?? false
        metadata.grantTypes =
            grantTypes.filter { names.contains($0.0) }.map(\.1) + (refreshes ? [GrantType.refreshToken] : [])
        metadata.issuesRefreshTokens = refreshes
        metadata.responseTypes =
            (names.contains("AUTHORIZATION_CODE") ? ["code"] : [])
            + (names.contains("IMPLICIT") ? ["id_token", "id_token token"] : [])
        let format = try input.choice("access_token_format", of: ["OPAQUE", "JWT"]) ?? "OPAQUE"
        metadata.accessTokenFormat = format == "JWT" ? .jwt : .opaque
    }

    private static func readRedirects(_ input: Members, into metadata: inout ClientMetadata) throws {
        let all =
            try [input.anyText("redirect_url")].compactMap { $0 }
            + (input.texts("additional_redirect_urls") ?? [])
        metadata.redirectURIs = all.unique
    }

    private static func readLifetimes(_ input: Members, into metadata: inout ClientMetadata) throws {
        metadata.authorizationCodeLifetime = try input.integer("access_grant_expires_in", in: 1...86_400)
        metadata.accessTokenLifetime = try input.integer("access_token_expires_in", in: 1...315_360_000)
        metadata.refreshTokenLifetime = try input.integer("refresh_token_expires_in", in: 1...315_360_000)
        metadata.refreshTokenMaxLifetime = try input.integer(
            "max_refresh_token_validity", in: 1...315_360_000)
        // Off when left out, as a truth value is: assumed.
        let isAllowed = try input.optionalBoolean("simultaneous_sessions_allowed") ?? false
        let limit = try input.integer("max_simultaneous_sessions", in: 2...25)
        metadata.maxSimultaneousSessions = isAllowed ? limit ?? 25 : 1
    }

    private static func readScopes(_ input: Members, into metadata: inout ClientMetadata) throws {
        let defaults = ScopeList(try input.texts("default_scopes") ?? [])
        let others = try input.texts("additional_scopes") ?? []
        metadata.defaultScope = defaults.isEmpty ? nil : defaults.text
        metadata.scope = ScopeList(defaults.names + others).text
    }

    private static func readAudiences(_ input: Members, into metadata: inout ClientMetadata) throws {
        let gateways = try input.texts("resource_gateway_ids") ?? []
        let audiences = try ((input.texts("additional_audiences") ?? []) + gateways).unique
        if let spaced = audiences.first(where: { ScopeList($0).names != [$0] }) {
            try input.fail(
                "additional_audiences", "must be texts without white space, not “\(spaced.prefix(40))”")
        }
        metadata.audiences = audiences.isEmpty ? nil : audiences
    }

    private static func readOpenID(
        _ input: Members, into metadata: inout ClientMetadata,
        _ vendor: inout [String: JSONValue]
    ) throws {
        let inner = Members.management(try input.optionalObject("open_id_connect") ?? [:])
        metadata.idTokenLifetime = try inner.integer("expiration_time_seconds", in: 1...315_360_000)
        metadata.idTokenAudiences = try inner.texts("additional_audiences")
        metadata.postLogoutRedirectURL = try inner.anyText("post_logout_redirect_url")
        let targets = try inner.texts("additional_post_logout_redirect_urls") ?? []
        metadata.postLogoutRedirectURIs = targets.isEmpty ? nil : targets.unique
        metadata.frontchannelLogoutURI = try inner.anyText("front_channel_logout_url")
        if let flag = try inner.optionalBoolean(deletesTokens) { vendor[deletesTokens] = .boolean(flag) }
        try input.refuse(inner.faults.map { $0.within("open_id_connect") })
        let kept = inner.values.filter { !mappedOpenID.contains($0.key) }
        if !kept.isEmpty { vendor["open_id_connect"] = .object(kept) }
    }

    /// What members say together.
    private static func checkRules(of client: Client, _ input: Members) throws {
        let metadata = client.metadata
        let usesBrowser = client.may(GrantType.authorizationCode) || client.may(GrantType.implicit)
        if usesBrowser, client.redirectURIs.isEmpty {
            try input.fail("redirect_url", "is missing; the grant types need a browser to come back")
        }
        if client.may(GrantType.authorizationCode), input.values["access_grant_expires_in"] == nil {
            try input.fail(
                "access_grant_expires_in", "is missing; expected the seconds that a code is good for")
        }
        let issues = usesBrowser || client.may(GrantType.clientCredentials)
        if issues, input.values["access_token_expires_in"] == nil {
            try input.fail(
                "access_token_expires_in", "is missing; expected the seconds that a token is good for")
        }
        if metadata.vendor?["client_authentication_method"] == "PKCE",
            client.grantTypes.contains(where: {
                $0 != GrantType.authorizationCode && $0 != GrantType.refreshToken
            })
        {
            try input.fail(
                "grant_types", "must be AUTHORIZATION_CODE alone for a client that proves itself by PKCE")
        }
        if client.may(GrantType.password), metadata.skipsConsent != true {
            try input.fail("consent_disabled", "must be true for the grant type PASSWORD")
        }
        if metadata.refreshTokenLifetime != nil, metadata.issuesRefreshTokens != true {
            try input.fail("refresh_token_expires_in", "needs refresh_token_enabled to be true")
        }
        if client.scopes.contains(ScopeList.openID), metadata.idTokenLifetime == nil {
            try input.fail(
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
