import Essentials
import SQLite

/// Somebody whom a back end knows by any text; ties accounts together.
struct User: Sendable, Equatable {
    /// Characters of an id. *Assumed*: the documents say that some are not allowed, and not which.
    static let idLimit = 255

    let server: String
    let id: String
    var attributes: [String: JSONValue] = [:]
    /// Base64; nil until somebody asks for one.
    var role: String?
    let createdAt: Date
    var lastLoginAt: Date?

    static func isID(_ text: String) -> Bool { 1...idLimit ~= text.count }
}

extension User: RowDecodable {
    init(row: Row) throws {
        self.init(
            server: try row.text("server"), id: try row.text("id"), attributes: try row.object("attributes"),
            role: try row.optionalText("role"), createdAt: try row.date("created_at"),
            lastLoginAt: try row.optionalDate("last_login_at"))
    }
}
