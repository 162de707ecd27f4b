package import Essentials
import PlatformKit
import SQLite

/// What the fixtures decide about an authorization server.
package struct ServerSettings: Sendable, Equatable, Codable {
    /// Members that the metadata document gets in the place of its own; one that is null is left out.
    package var metadata: [String: JSONValue]?
    /// What a client must show to register itself. Without it everybody may.
    package var initialAccessToken: String?
    /// Scopes that a client which registers itself may ask for, separated by spaces. Without a word: all.
    package var registeredScope: String?
    /// Origins of web pages that may call, such as `http://localhost:3000`. Without a word: all.
    package var allowedOrigins: [String]?
    /// Whether clients may use the implicit grant. Without a word: no.
    package var implicitGrant: Bool?
    /// Which claims of a user are told where, beside and in the place of the platform's own.
    package var claimsByScope: ClaimMapping?
    /// Whether tokens can be bound to a key of the client (RFC 9449). Without a word: no.
    package var dpop: Bool?
    /// Whether proofs of such keys need a nonce of the server's. Without a word: no.
    package var dpopNonce: Bool?
    /// Whether clients may sign their authorization requests (RFC 9101, by value). Without a word: no.
    package var requestObjects: Bool?
    /// Whether web pages of other origins may register clients. Without a word: no.
    package var registrationFromPages: Bool?
    /// Whether a client that registers itself may make this server fetch from private addresses. Without a word: no.
    package var fetchPrivateAddresses: Bool?
    /// What tokens and metadata call this server in every request, such as `https://login.example.com/oauth`; the pages that browsers
    /// visit are said to stand below it. Without a word: the base URL at which the flow began.
    package var issuer: String?
    /// Whether the endpoints that back ends call are said to stand there as well. Without a word: where metadata were asked for.
    package var fixedBackChannel: Bool?
    /// Rules for everybody who uses the server. Without a word: those of the platform.
    package var profile: SecurityProfile?
    /// Without a word: public clients send a challenge, by whichever method.
    package var pkce: PKCEDemand?
    /// Whether client assertions must name the issuer alone, as a text. Without a word: any endpoint will do as well, also in a list.
    package var strictAudience: Bool?
    /// Whether authorization requests must be pushed (RFC 9126). Without a word: no.
    package var requirePushedAuthorizationRequests: Bool?
    /// Whether authorization requests must be signed (RFC 9101), pushed ones too. Without a word: no.
    package var requireSignedRequestObject: Bool?
    /// Whose paths at the root of a world lead here as well. Without a word: nobody's.
    package var rootPaths: RootPaths?

    package init() {}

    package enum CodingKeys: String, CodingKey {
        case metadata
        case initialAccessToken = "initial_access_token"
        case registeredScope = "registered_scope"
        case allowedOrigins = "allowed_origins"
        case implicitGrant = "implicit_grant"
        case claimsByScope = "claims_by_scope"
        case dpop
        case dpopNonce = "dpop_nonce"
        case requestObjects = "request_objects"
        case registrationFromPages = "registration_from_pages"
        case fetchPrivateAddresses = "fetch_private_addresses"
        case issuer
        case fixedBackChannel = "fixed_back_channel"
        case profile, pkce
        case strictAudience = "strict_audience"
        case requirePushedAuthorizationRequests = "require_pushed_authorization_requests"
        case requireSignedRequestObject = "require_signed_request_object"
        case rootPaths = "root_paths"
    }
}

extension ServerSettings {
    /// Nil when the fixtures said nothing.
    static func setting(of server: String) -> Setting<ServerSettings> { Setting("\(server).openid.settings") }
}
