import Essentials
import SQLite

/// An API key, and the role that who brings it acts as.
struct APIKey: Record, Equatable {
    static let table = Table("nextauth_api_key", key: "key")

    let key: String
    /// Base64 with neither `/` nor `+`.
    let role: String
    let description: String
    /// The role that made it; nil for one from fixtures.
    let maker: String?
}
