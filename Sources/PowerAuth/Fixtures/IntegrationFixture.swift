/// Credentials for the management API, in a fixture file.
struct IntegrationFixture: Codable, Sendable {
    var id: String
    var name: String
    var clientToken: String
    var clientSecret: String

    enum CodingKeys: String, CodingKey {
        case id, name
        case clientToken = "client_token"
        case clientSecret = "client_secret"
    }
}
