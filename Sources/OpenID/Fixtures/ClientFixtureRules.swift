/// What a client of the fixtures must fulfil: only what would lead to nothing is refused, since whoever writes fixtures may want a
/// client that no server would register.
enum ClientFixtureRules {
    /// Seconds; more than thirty years.
    static let seconds = 1...1_000_000_000

    /// - Throws: ``MetadataFault``.
    static func check(_ client: Client) throws {
        let metadata = client.metadata
        // RFC 6749 Appendix A.1.
        guard 1...255 ~= client.id.utf8.count, client.id.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw MetadataFault("client_id", "expected 1 to 255 characters of ASCII")
        }
        if client.isPublic, client.secret != nil {
            throw MetadataFault(
                "client_secret", "a client with token_endpoint_auth_method none has no secret")
        }
        try checkAbsolute(client.redirectURIs, of: "redirect_uris", except: isOwnPage)
        try checkAbsolute(metadata.postLogoutRedirectURIs ?? [], of: "post_logout_redirect_uris") { _ in false
        }
        if let uri = metadata.postLogoutRedirectURL {
            try ClientURI(uri, of: "post_logout_redirect_url").checkAbsolute()
        }
        // They are kept and told separated by spaces.
        for audience in metadata.audiences ?? [] where ScopeList(audience).names != [audience] {
            throw MetadataFault("audiences", "expected texts without white space, found “\(audience)”")
        }
        try metadata.claimsByScope?.check()
        if let name = metadata.claims?.keys.sorted().first(where: AccessTokenClaims.reserved.contains) {
            throw MetadataFault(
                "claims", "the server itself says “\(name)”\(name == "aud" ? "; see audiences" : "")")
        }
        if metadata.jwks != nil, metadata.jwksURI != nil {
            throw MetadataFault("jwks", "jwks and jwks_uri stand here; one of them is allowed")
        }
        if let jwks = metadata.jwks { try ClientKeyRules.check(jwks) }
        try checkNumbers(metadata)
    }

    private static func checkAbsolute(
        _ uris: [String], of member: String, except isFine: (String) -> Bool
    ) throws {
        for (index, uri) in uris.enumerated() where !isFine(uri) {
            do {
                try ClientURI(uri, of: member).checkAbsolute()
            } catch var fault as MetadataFault {
                fault.index = index
                throw fault
            }
        }
    }

    /// A path on this server, whatever its address and world.
    private static func isOwnPage(_ uri: String) -> Bool {
        uri.hasPrefix("/") && !uri.hasPrefix("//") && (try? ClientURI("x:" + uri, of: "redirect_uris")) != nil
    }

    private static func checkNumbers(_ metadata: ClientMetadata) throws {
        let fromZero = 0...seconds.upperBound
        try check("default_max_age", metadata.defaultMaxAge, fromZero)
        try check("authorization_code_lifetime", metadata.authorizationCodeLifetime, seconds)
        try check("access_token_lifetime", metadata.accessTokenLifetime, seconds)
        try check("refresh_token_lifetime", metadata.refreshTokenLifetime, seconds)
        try check("refresh_token_max_lifetime", metadata.refreshTokenMaxLifetime, seconds)
        try check("refresh_token_grace", metadata.refreshTokenGrace, fromZero)
        try check("id_token_lifetime", metadata.idTokenLifetime, seconds)
        try check("max_simultaneous_sessions", metadata.maxSimultaneousSessions, 1...1000)
    }

    private static func check(_ name: String, _ value: Int?, _ range: ClosedRange<Int>) throws {
        guard let value, !range.contains(value) else { return }
        throw MetadataFault(
            name, "expected a number from \(range.lowerBound) to \(range.upperBound), found \(value)")
    }
}
