import Essentials
import SQLite

/// Challenges that were given out. Their table stands with ``AccountSchema``.
enum ChallengeStore {
    /// Challenges a world remembers; the oldest make room.
    static let limit = 10_000

    static func challenge(_ text: String, in db: Connection) throws -> Challenge? {
        try db.first(Challenge.self, "SELECT * FROM hanko_challenge WHERE challenge = \(text)")
    }

    static func insert(_ challenge: Challenge, into db: Connection) throws {
        try db.execute(
            """
            INSERT INTO hanko_challenge (
                challenge, ceremony, user_id, user_verification, allowed_credentials, created_at, expires_at
            ) VALUES (
                \(challenge.challenge), \(challenge.ceremony.rawValue), \(challenge.userID),
                \(challenge.userVerification), \(JSONText.text(challenge.allowedCredentials)),
                \(challenge.createdAt), \(challenge.expiresAt)
            )
            """)
        try db.execute(
            """
            DELETE FROM hanko_challenge
            WHERE rowid <= (SELECT max(rowid) FROM hanko_challenge) - \(limit)
            """)
    }

    static func delete(_ text: String, in db: Connection) throws {
        try db.execute("DELETE FROM hanko_challenge WHERE challenge = \(text)")
    }

    static func export(from db: Connection) throws -> [Challenge] {
        try db.all(Challenge.self, "SELECT * FROM hanko_challenge ORDER BY rowid")
    }
}
