import Essentials
import SQLite

/// A device that need not bring the second factor.
struct TrustedDevice: Sendable, Equatable {
    /// What the cookie carries.
    let token: String
    let userID: String
    let createdAt: Date
    let expiresAt: Date
}

extension TrustedDevice: RowDecodable {
    init(row: Row) throws {
        token = try row.text("token")
        userID = try row.text("user_id")
        createdAt = try row.date("created_at")
        expiresAt = try row.date("expires_at")
    }
}
