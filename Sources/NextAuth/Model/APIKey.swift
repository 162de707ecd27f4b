import Essentials
import SQLite

/// An API key, and the role that who brings it acts as.
struct APIKey: Sendable, Equatable, RowDecodable {
    let key: String
    /// Base64 with neither `/` nor `+`.
    let role: String
    let description: String
    /// The role that made it; nil for one from fixtures.
    let maker: String?

    init(key: String, role: String, description: String, maker: String?) {
        (self.key, self.role, self.description, self.maker) = (key, role, description, maker)
    }

    init(row: Row) throws {
        self.init(
            key: try row.text("key"), role: try row.text("role"), description: try row.text("description"),
            maker: try row.optionalText("maker"))
    }
}
