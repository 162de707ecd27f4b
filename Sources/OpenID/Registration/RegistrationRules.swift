import Essentials

/// What client metadata must fulfil; each rule throws a ``MetadataFault``.
///
/// Sources: RFC 7591 §2; OpenID Connect Dynamic Client Registration 1.0 §2.
struct RegistrationRules {
    let settings: ServerSettings
    /// Of the keys that sign here.
    let signingAlgorithms: [String]

    private static let mostEntries = 50

    func check(_ metadata: ClientMetadata) throws {
        try checkGrants(metadata)
        try checkRedirects(metadata)
        try checkAuthentication(metadata)
        try checkAlgorithms(metadata)
        try checkAddresses(metadata)
        try checkRest(metadata)
    }

    private func checkGrants(_ metadata: ClientMetadata) throws {
        let (grants, types) = (metadata.grantTypes ?? [], metadata.responseTypes ?? [])
        var offered = [
            GrantType.authorizationCode, GrantType.refreshToken, GrantType.clientCredentials,
            GrantType.deviceCode,
            GrantType.tokenExchange,
        ]
        var offeredTypes: [ScopeList] = [ScopeList("code")]
        if settings.offersImplicitGrant {
            offered.append(GrantType.implicit)
            offeredTypes += [ScopeList("id_token"), ScopeList("id_token token")]
        }
        try require("grant_types", of: grants, among: offered)
        for type in types where !offeredTypes.contains(where: { Set($0.names) == Set(ScopeList(type).names) })
        {
            let shown = offeredTypes.map(\.text).joined(separator: ", ")
            throw MetadataFault("response_types", "expected one of \(shown), found “\(type)”")
        }
        // RFC 7591 §2.1
        try requirePair(
            types.contains("code"), "code", grants.contains(GrantType.authorizationCode),
            GrantType.authorizationCode)
        try requirePair(
            types.contains { $0 != "code" }, "id_token", grants.contains(GrantType.implicit),
            GrantType.implicit)
        if metadata.tokenEndpointAuthMethod == ClientAuthenticationMethod.none,
            grants.contains(GrantType.clientCredentials)
        {
            throw MetadataFault("grant_types", "client_credentials needs a client that can prove itself")
        }
    }

    private func requirePair(_ hasType: Bool, _ type: String, _ hasGrant: Bool, _ grant: String) throws {
        if hasType == hasGrant { return }
        throw hasType
            ? MetadataFault("grant_types", "the response type \(type) needs the grant type \(grant)")
            : MetadataFault("response_types", "the grant type \(grant) needs a response type such as \(type)")
    }

    private func checkRedirects(_ metadata: ClientMetadata) throws {
        let uris = metadata.redirectURIs ?? []
        if uris.isEmpty, metadata.responseTypes?.isEmpty == false {
            throw MetadataFault("redirect_uris", "a client of the authorization endpoint needs at least one")
        }
        try limit(uris, "redirect_uris")
        for uri in uris {
            try ClientURI(uri, of: "redirect_uris").checkRedirect(
                isNative: metadata.applicationType == "native")
        }
        let logoutURIs = metadata.postLogoutRedirectURIs ?? []
        try limit(logoutURIs, "post_logout_redirect_uris")
        for uri in logoutURIs {
            try ClientURI(uri, of: "post_logout_redirect_uris").checkRedirect(isNative: false)
        }
    }

    private func checkAuthentication(_ metadata: ClientMetadata) throws {
        if metadata.jwks != nil, metadata.jwksURI != nil {
            throw MetadataFault("jwks", "jwks and jwks_uri are there; one of them is allowed")
        }
        if let jwks = metadata.jwks { try ClientKeyRules.check(jwks) }
        try checkOffers(metadata)
        try require(
            "token_endpoint_auth_method", of: [(metadata.tokenEndpointAuthMethod ?? .basic).rawValue],
            among: settings.clientMethods.map(\.rawValue))
        guard metadata.tokenEndpointAuthMethod == .privateKeyJWT else { return }
        if metadata.jwks == nil, metadata.jwksURI == nil {
            throw MetadataFault("jwks", "private_key_jwt needs jwks or jwks_uri")
        }
        if let jwks = metadata.jwks { try ClientKeyRules.checkAssertions(jwks) }
    }

    /// What the fixtures would have to switch on.
    private func checkOffers(_ metadata: ClientMetadata) throws {
        if metadata.dpopBoundAccessTokens == true, !settings.offersDPoP {
            throw MetadataFault(
                "dpop_bound_access_tokens",
                "this server does not offer DPoP; \"dpop\": true among its settings does")
        }
        if metadata.requireSignedRequestObject == true, !settings.offersRequestObjects {
            throw MetadataFault(
                "require_signed_request_object",
                "this server takes no request objects; \"request_objects\": true among its settings does")
        }
        // Some clients say it and never sign a request (observed: idpyoidc 5.0.0).
        guard settings.offersRequestObjects else { return }
        try require(
            "request_object_signing_alg", of: metadata.requestObjectSigningAlg.map { [$0] } ?? [],
            among: settings.requestObjectAlgorithms)
    }

    private func checkAlgorithms(_ metadata: ClientMetadata) throws {
        try require(
            "token_endpoint_auth_signing_alg", of: metadata.tokenEndpointAuthSigningAlg.map { [$0] } ?? [],
            among: settings.assertionAlgorithms)
        for (name, algorithm) in [
            ("id_token_signed_response_alg", metadata.idTokenSignedResponseAlg),
            ("userinfo_signed_response_alg", metadata.userinfoSignedResponseAlg),
        ] {
            try require(name, of: algorithm.map { [$0] } ?? [], among: signingAlgorithms)
        }
        try require("subject_type", of: metadata.subjectType.map { [$0] } ?? [], among: ["public"])
        try require(
            "application_type", of: metadata.applicationType.map { [$0] } ?? [], among: ["web", "native"])
    }

    private func checkAddresses(_ metadata: ClientMetadata) throws {
        for (name, uri) in [
            ("client_uri", metadata.clientURI), ("logo_uri", metadata.logoURI),
            ("policy_uri", metadata.policyURI),
            ("tos_uri", metadata.tosURI),
        ] {
            if let uri { try ClientURI(uri, of: name).checkWeb(isPage: true) }
        }
        for (name, uri) in [
            ("jwks_uri", metadata.jwksURI), ("sector_identifier_uri", metadata.sectorIdentifierURI),
            ("backchannel_logout_uri", metadata.backchannelLogoutURI),
            ("frontchannel_logout_uri", metadata.frontchannelLogoutURI),
        ] {
            if let uri { try ClientURI(uri, of: name).checkWeb() }
        }
        // OpenID Connect Dynamic Client Registration 1.0 §2: https alone.
        if let uri = metadata.initiateLoginURI { try ClientURI(uri, of: "initiate_login_uri").checkHTTPS() }
    }

    private func checkRest(_ metadata: ClientMetadata) throws {
        try limit(metadata.contacts ?? [], "contacts")
        try limit(metadata.defaultACRValues ?? [], "default_acr_values")
        if let age = metadata.defaultMaxAge, !(0...1_000_000_000).contains(age) {
            throw MetadataFault("default_max_age", "expected seconds from 0 to 1000000000, found \(age)")
        }
        for (name, text) in [
            ("client_name", metadata.clientName), ("software_id", metadata.softwareID),
            ("software_version", metadata.softwareVersion),
        ] where (text?.utf8.count ?? 0) > 500 {
            throw MetadataFault(name, "it has more than 500 bytes")
        }
    }

    private func require(_ member: String, of values: [String], among known: [String]) throws {
        guard let value = values.first(where: { !known.contains($0) }) else { return }
        throw MetadataFault(
            member, "expected one of \(known.joined(separator: ", ")), found “\(value.prefix(80))”")
    }

    private func limit(_ values: [String], _ member: String) throws {
        guard values.count > Self.mostEntries else { return }
        throw MetadataFault(member, "there are \(values.count); \(Self.mostEntries) are the most")
    }
}
