import SQLite

/// Credentials of a back end that calls the management API. They are asked for when the setting `restrict_access` is on.
struct Integration: Record, Equatable {
    static let table: Table = "powerauth_integration"

    let id: String
    let name: String
    let clientToken: String
    let clientSecret: String

    enum CodingKeys: String, CodingKey {
        case id, name
        case clientToken = "client_token"
        case clientSecret = "client_secret"
    }
}
