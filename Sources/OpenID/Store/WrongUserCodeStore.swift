import Essentials
import SQLite

/// Wrong user codes of the last minute, by the address that they came from. Source: RFC 8628 §5.1.
struct WrongUserCodeStore: Sendable {
    /// Within ``windowSeconds``.
    static let limit = 5
    static let windowSeconds = 60.0

    let server: String

    /// How many came from `address` lately.
    func count(_ address: String, at now: Date, in db: Connection) throws -> Int {
        let start = now.addingTimeInterval(-Self.windowSeconds)
        return try db.value(
            Int.self,
            """
            SELECT count(*) FROM openid_wrong_user_code
            WHERE server = \(server) AND address = \(address) AND at > \(start)
            """) ?? 0
    }

    /// Forgets the old ones of everybody.
    func note(_ address: String, at now: Date, in db: Connection) throws {
        let start = now.addingTimeInterval(-Self.windowSeconds)
        try db.execute("DELETE FROM openid_wrong_user_code WHERE server = \(server) AND at <= \(start)")
        try db.execute(
            "INSERT INTO openid_wrong_user_code (server, address, at) VALUES (\(server), \(address), \(now))")
    }
}
