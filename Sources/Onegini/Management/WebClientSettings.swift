import Essentials
import OpenID

/// A web client with the vendor's names, made of the authorization server's and back.
///
/// What this server has no use for is kept as it came and given back. Source: Token Server documentation, web clients API.
enum WebClientSettings {
    /// Names of grants, the vendor's first.
    static let grantTypes = [
        ("AUTHORIZATION_CODE", GrantType.authorizationCode),
        ("CLIENT_CREDENTIALS", GrantType.clientCredentials), ("PASSWORD", GrantType.password),
        ("IMPLICIT", GrantType.implicit), ("DEVICE_CODE", GrantType.deviceCode),
    ]

    static let methods = ["CLIENT_SECRET_BASIC", "PKCE", "PRIVATE_KEY_JWT", "PUBLIC"]

    /// Members that stand in the metadata of the authorization server; any other is kept in its vendor settings.
    static let mapped: Set<String> = [
        "name", "client_id", "client_secret", "hashed_client_secret", "public_jwk", "jwks_uri", "grant_types",
        "access_token_format", "redirect_url", "additional_redirect_urls", "access_grant_expires_in",
        "access_token_expires_in", "additional_audiences", "refresh_token_enabled",
        "refresh_token_expires_in", "max_refresh_token_validity", "simultaneous_sessions_allowed",
        "max_simultaneous_sessions", "default_scopes", "additional_scopes", "logo_uri", "consent_disabled",
        "open_id_connect",
    ]

    /// A member of `open_id_connect` that the authorization server reads from a client's vendor settings.
    static let deletesTokens = "delete_tokens_on_logout"

    /// The same for `open_id_connect`.
    static let mappedOpenID: Set<String> = [
        "expiration_time_seconds", "additional_audiences", "post_logout_redirect_url",
        "additional_post_logout_redirect_urls", "front_channel_logout_url", deletesTokens,
    ]

    /// What the API shows of a client: everything but secrets.
    static func json(of client: Client) -> [String: JSONValue] {
        let metadata = client.metadata
        var members = (metadata.vendor ?? [:]).filter { $0.key != MobileExtension.hashedSecret }
        let openID = members["open_id_connect"]?.object ?? [:]
        members["open_id_connect"] = nil
        members[deletesTokens] = nil
        members["name"] = .string(client.name)
        members["client_id"] = .string(client.id)
        members["client_authentication_method"] = .string(method(of: client))
        members["grant_types"] = JSONValue(
            grantTypes.filter { client.may($0.1) }.map(\.0))
        members["access_token_format"] = .string(client.accessTokenFormat.rawValue.uppercased())
        members["consent_disabled"] = .boolean(metadata.skipsConsent ?? false)
        members["refresh_token_enabled"] = .boolean(client.getsRefreshTokens)
        members["logo_uri"] = metadata.logoURI.map(JSONValue.string)
        addKeys(of: metadata, to: &members)
        addLifetimes(of: client, to: &members)
        addLists(of: client, to: &members)
        addOpenID(of: client, openID, to: &members)
        return members
    }

    private static func method(of client: Client) -> String {
        // Two of the vendor's are one for us.
        if let kept = client.metadata.vendor?["client_authentication_method"]?.string { return kept }
        switch client.authentication {
        case .basic, .post: return "CLIENT_SECRET_BASIC"
        case .privateKeyJWT: return "PRIVATE_KEY_JWT"
        case .none: return client.may(GrantType.deviceCode) ? "PUBLIC" : "PKCE"
        }
    }

    private static func addKeys(of metadata: ClientMetadata, to members: inout [String: JSONValue]) {
        members["jwks_uri"] = metadata.jwksURI.map(JSONValue.string)
        members["public_jwk"] = metadata.jwks?["keys"]?.array?.first
    }

    private static func addLifetimes(of client: Client, to members: inout [String: JSONValue]) {
        let metadata = client.metadata
        members["access_grant_expires_in"] = .integer(client.codeSeconds)
        members["access_token_expires_in"] = .integer(client.accessTokenSeconds)
        members["refresh_token_expires_in"] = metadata.refreshTokenLifetime.map(JSONValue.integer)
        members["max_refresh_token_validity"] = metadata.refreshTokenMaxLifetime.map(JSONValue.integer)
        let sessions = metadata.maxSimultaneousSessions
        members["simultaneous_sessions_allowed"] = .boolean(sessions != 1)
        members["max_simultaneous_sessions"] = sessions.flatMap { $0 == 1 ? nil : .integer($0) }
    }

    private static func addLists(of client: Client, to members: inout [String: JSONValue]) {
        let metadata = client.metadata
        members["redirect_url"] = client.redirectURIs.first.map(JSONValue.string)
        members["additional_redirect_urls"] = JSONValue(Array(client.redirectURIs.dropFirst()))
        let scopes = client.defaultScopes?.names ?? []
        members["default_scopes"] = JSONValue(scopes)
        members["additional_scopes"] = JSONValue(client.scopes.names.filter { !scopes.contains($0) })
        let gateways = metadata.vendor?["resource_gateway_ids"]?.strings ?? []
        members["additional_audiences"] = JSONValue(
            (metadata.audiences ?? []).filter { !gateways.contains($0) })
    }

    private static func addOpenID(
        of client: Client, _ kept: [String: JSONValue], to members: inout [String: JSONValue]
    ) {
        guard client.scopes.contains(ScopeList.openID) || !kept.isEmpty else { return }
        let metadata = client.metadata
        var openID = kept
        openID[deletesTokens] = metadata.vendor?[deletesTokens]
        openID["expiration_time_seconds"] = .integer(client.idTokenSeconds)
        openID["additional_audiences"] = metadata.idTokenAudiences.map { JSONValue($0) }
        openID["post_logout_redirect_url"] = metadata.postLogoutRedirectURL.map(JSONValue.string)
        openID["additional_post_logout_redirect_urls"] = metadata.postLogoutRedirectURIs.map { JSONValue($0) }
        openID["front_channel_logout_url"] = metadata.frontchannelLogoutURI.map(JSONValue.string)
        members["open_id_connect"] = .object(openID)
    }
}
