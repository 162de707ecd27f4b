import Essentials
import SQLite

/// The secret of a user's authenticator app.
struct OTPSecret: Sendable, Equatable {
    let id: String
    let userID: String
    /// Base32 without padding, as `otpauth:` URLs carry it.
    let secret: String
    let createdAt: Date
}

extension OTPSecret: RowDecodable {
    init(row: Row) throws {
        id = try row.text("id")
        userID = try row.text("user_id")
        secret = try row.text("secret")
        createdAt = try row.date("created_at")
    }
}
