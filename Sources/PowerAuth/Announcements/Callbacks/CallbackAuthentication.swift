/// How a callback proves where it comes from.
struct CallbackAuthentication: Codable, Sendable, Equatable {
    struct Basic: Codable, Sendable, Equatable {
        var enabled: Bool
        var username: String?
        var password: String?
    }

    struct OAuth2: Codable, Sendable, Equatable {
        var enabled: Bool
        var clientId: String?
        var clientSecret: String?
        var tokenUri: String?
        var scope: String?
    }

    var httpBasic: Basic?
    /// Client credentials grant.
    var oauth2: OAuth2?
}
