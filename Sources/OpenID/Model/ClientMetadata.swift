package import Essentials

/// What is said about a client, with the names of dynamic registration; the same shape stands in fixtures, in registrations and
/// in the database.
///
/// Sources: RFC 7591 §2; OpenID Connect Dynamic Client Registration 1.0 §2; RP-Initiated, Front-Channel and Back-Channel Logout.
/// Members that no standard has are at the end.
package struct ClientMetadata: Codable, Sendable, Equatable {
    package var redirectURIs: [String]?
    package var responseTypes: [String]?
    package var grantTypes: [String]?
    package var tokenEndpointAuthMethod: ClientAuthenticationMethod?
    package var tokenEndpointAuthSigningAlg: String?
    package var clientName: String?
    package var clientURI: String?
    package var logoURI: String?
    package var policyURI: String?
    package var tosURI: String?
    package var contacts: [String]?
    package var applicationType: String?
    /// Names of scopes that the client may ask for, separated by spaces.
    package var scope: String?
    package var jwksURI: String?
    package var jwks: JSONValue?
    package var softwareID: String?
    package var softwareVersion: String?
    package var sectorIdentifierURI: String?
    package var subjectType: String?
    package var idTokenSignedResponseAlg: String?
    package var userinfoSignedResponseAlg: String?
    /// Seconds.
    package var defaultMaxAge: Int?
    package var requireAuthTime: Bool?
    package var defaultACRValues: [String]?
    package var initiateLoginURI: String?
    package var postLogoutRedirectURIs: [String]?
    package var frontchannelLogoutURI: String?
    package var frontchannelLogoutSessionRequired: Bool?
    package var backchannelLogoutURI: String?
    package var backchannelLogoutSessionRequired: Bool?
    /// Source: RFC 9449 §5.2.
    package var dpopBoundAccessTokens: Bool?
    /// Source: RFC 9101 §10.5; OpenID Connect Dynamic Client Registration 1.0 §2.
    package var requestObjectSigningAlg: String?
    /// Source: RFC 9101 §10.5.
    package var requireSignedRequestObject: Bool?
    /// Source: RFC 9126 §6.
    package var requirePushedAuthorizationRequests: Bool?

    /// Scopes that are granted when a request names none, separated by spaces; without them such a request fails.
    package var defaultScope: String?
    package var accessTokenFormat: AccessTokenFormat?
    package var accessTokenSignedResponseAlg: String?
    /// Seconds; also the three below it.
    package var authorizationCodeLifetime: Int?
    package var accessTokenLifetime: Int?
    /// From the issuing of each refresh token.
    package var refreshTokenLifetime: Int?
    /// From the issuing of the first one.
    package var refreshTokenMaxLifetime: Int?
    /// Seconds in which a refresh token that was already used is answered with the same tokens again.
    package var refreshTokenGrace: Int?
    package var idTokenLifetime: Int?
    /// Whether a code brings a refresh token. Without a word: when the client may use the grant `refresh_token`.
    package var issuesRefreshTokens: Bool?
    package var skipsConsent: Bool?
    /// Name of the provider that the pages play for this client, such as `Google`; they say so, and ask for consent once.
    package var plays: String?
    /// Audiences of its access tokens, of which a request may choose some; without any the issuer is it.
    package var audiences: [String]?
    /// Audiences of its ID tokens, besides itself.
    package var idTokenAudiences: [String]?
    /// How many grants of one user and client live at a time; the oldest gives way. No limit without it.
    package var maxSimultaneousSessions: Int?
    /// Where a browser goes after a logout that names no place. Source: Token Server documentation, web clients API.
    package var postLogoutRedirectURL: String?
    /// Which claims of a user the client hears where, beside and in the place of what holds for all.
    package var claimsByScope: ClaimMapping?
    /// What access tokens say that the client gets for itself.
    package var claims: [String: JSONValue]?
    /// Settings of the platform that mounts this server.
    package var vendor: [String: JSONValue]?

    package init() {}

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case redirectURIs = "redirect_uris"
        case responseTypes = "response_types"
        case grantTypes = "grant_types"
        case tokenEndpointAuthMethod = "token_endpoint_auth_method"
        case tokenEndpointAuthSigningAlg = "token_endpoint_auth_signing_alg"
        case clientName = "client_name"
        case clientURI = "client_uri"
        case logoURI = "logo_uri"
        case policyURI = "policy_uri"
        case tosURI = "tos_uri"
        case contacts
        case applicationType = "application_type"
        case scope
        case jwksURI = "jwks_uri"
        case jwks
        case softwareID = "software_id"
        case softwareVersion = "software_version"
        case sectorIdentifierURI = "sector_identifier_uri"
        case subjectType = "subject_type"
        case idTokenSignedResponseAlg = "id_token_signed_response_alg"
        case userinfoSignedResponseAlg = "userinfo_signed_response_alg"
        case defaultMaxAge = "default_max_age"
        case requireAuthTime = "require_auth_time"
        case defaultACRValues = "default_acr_values"
        case initiateLoginURI = "initiate_login_uri"
        case postLogoutRedirectURIs = "post_logout_redirect_uris"
        case frontchannelLogoutURI = "frontchannel_logout_uri"
        case frontchannelLogoutSessionRequired = "frontchannel_logout_session_required"
        case backchannelLogoutURI = "backchannel_logout_uri"
        case backchannelLogoutSessionRequired = "backchannel_logout_session_required"
        case dpopBoundAccessTokens = "dpop_bound_access_tokens"
        case requestObjectSigningAlg = "request_object_signing_alg"
        case requireSignedRequestObject = "require_signed_request_object"
        case requirePushedAuthorizationRequests = "require_pushed_authorization_requests"
        case defaultScope = "default_scope"
        case accessTokenFormat = "access_token_format"
        case accessTokenSignedResponseAlg = "access_token_signed_response_alg"
        case authorizationCodeLifetime = "authorization_code_lifetime"
        case accessTokenLifetime = "access_token_lifetime"
        case refreshTokenLifetime = "refresh_token_lifetime"
        case refreshTokenMaxLifetime = "refresh_token_max_lifetime"
        case refreshTokenGrace = "refresh_token_grace"
        case idTokenLifetime = "id_token_lifetime"
        case issuesRefreshTokens = "issues_refresh_tokens"
        case skipsConsent = "skips_consent"
        case plays
        case audiences
        case idTokenAudiences = "id_token_audiences"
        case maxSimultaneousSessions = "max_simultaneous_sessions"
        case postLogoutRedirectURL = "post_logout_redirect_url"
        case claimsByScope = "claims_by_scope"
        case claims, vendor
    }
}

/// How a client proves who it is. Source: RFC 7591 §2; OpenID Connect Core 1.0 §9.
package enum ClientAuthenticationMethod: String, Codable, Sendable, CaseIterable {
    case basic = "client_secret_basic"
    case post = "client_secret_post"
    case privateKeyJWT = "private_key_jwt"
    case none
}

package enum AccessTokenFormat: String, Codable, Sendable, CaseIterable {
    /// A random handle; what it means stands in the database.
    case opaque
    /// Source: RFC 9068.
    case jwt
}
