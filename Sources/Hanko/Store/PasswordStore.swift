import Essentials
import SQLite

/// Passwords, one a user. Their table stands with ``AccountSchema``.
enum PasswordStore {
    static func password(of userID: String, in db: Connection) throws -> Password? {
        try db.first(Password.self, "SELECT * FROM hanko_password WHERE user_id = \(userID)")
    }

    /// Sets or changes the user's password.
    ///
    /// - Parameter id: of the row, when it is the first.
    static func set(_ hash: PasswordHash, of userID: String, id: String, at now: Date, in db: Connection)
        throws
    {
        try insert(
            Password(id: id, userID: userID, hash: hash.text, createdAt: now, updatedAt: now), into: db)
    }

    static func insert(_ password: Password, into db: Connection) throws {
        try db.execute(
            """
            INSERT INTO hanko_password (user_id, id, hash, created_at, updated_at)
            VALUES (
                \(password.userID), \(password.id), \(password.hash), \(password.createdAt), \(password.updatedAt)
            )
            ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, updated_at = excluded.updated_at
            """)
    }

    static func delete(of userID: String, in db: Connection) throws {
        try db.execute("DELETE FROM hanko_password WHERE user_id = \(userID)")
    }

    static func export(from db: Connection) throws -> [Password] {
        try db.all(Password.self, "SELECT * FROM hanko_password ORDER BY rowid")
    }
}
