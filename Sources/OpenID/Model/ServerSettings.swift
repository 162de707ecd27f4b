package import Essentials

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
    /// What tokens and metadata call this server in every request, such as `https://login.example.com/oauth`; the pages that browsers
    /// visit are said to stand below it. Without a word: the base URL at which the flow began.
    package var issuer: String?
    /// Whether the endpoints that back ends call are said to stand there as well. Without a word: where metadata were asked for.
    package var fixedBackChannel: Bool?

    package init() {}

    package enum CodingKeys: String, CodingKey {
        case metadata
        case initialAccessToken = "initial_access_token"
        case registeredScope = "registered_scope"
        case allowedOrigins = "allowed_origins"
        case implicitGrant = "implicit_grant"
        case issuer
        case fixedBackChannel = "fixed_back_channel"
    }

    package var offersImplicitGrant: Bool { implicitGrant ?? false }
}
