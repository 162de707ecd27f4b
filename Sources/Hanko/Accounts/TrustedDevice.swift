import Essentials
import SQLite

/// A device that need not bring the second factor.
struct TrustedDevice: Record, Equatable {
    static let table = Table("hanko_trusted_device", key: "token")

    /// Devices a user may have; the oldest make room.
    static let limit = 100

    /// What the cookie carries.
    let token: String
    let userID: String
    let createdAt: Date
    let expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case token
        case userID = "user_id"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
    }
}

extension Connection {
    func isTrusted(_ token: String, by userID: String, at now: Date) throws -> Bool {
        try exists(
            TrustedDevice.self, where: "token = \(token) AND user_id = \(userID) AND expires_at > \(now)")
    }

    func trust(_ device: TrustedDevice) throws {
        try insert(device)
        try delete(
            TrustedDevice.self,
            where: """
                user_id = \(device.userID) AND token NOT IN (
                    SELECT token FROM hanko_trusted_device WHERE user_id = \(device.userID)
                    ORDER BY rowid DESC LIMIT \(TrustedDevice.limit)
                )
                """)
    }
}
