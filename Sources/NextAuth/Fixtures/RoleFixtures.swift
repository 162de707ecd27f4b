/// An API key in a fixture file.
struct APIKeyFixture: Codable, Sendable {
    var key: String
    /// Base64 with neither `/` nor `+`.
    var role: String
    var description: String?
    var maker: String?
}

/// What a role may do, in a fixture file.
struct GrantFixture: Codable, Sendable {
    var role: String
    /// Left out for all servers.
    var server: String?
    var permissions: [Permission]
}
