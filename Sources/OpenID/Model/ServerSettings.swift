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
    /// Which claims of a user are told where, beside and in the place of the platform's own.
    package var claimsByScope: ClaimMapping?

    package init() {}

    package enum CodingKeys: String, CodingKey {
        case metadata
        case initialAccessToken = "initial_access_token"
        case registeredScope = "registered_scope"
        case allowedOrigins = "allowed_origins"
        case implicitGrant = "implicit_grant"
        case claimsByScope = "claims_by_scope"
    }

    package var offersImplicitGrant: Bool { implicitGrant ?? false }
}
