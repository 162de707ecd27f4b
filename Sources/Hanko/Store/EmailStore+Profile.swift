import Essentials
import SQLite

/// What a signed-in user does with the own addresses.
extension EmailStore {
    /// - Parameter id: of an address of the user.
    static func makePrimary(_ id: String, of userID: String, at now: Date, in db: Connection) throws {
        // First none, then one: there may be one alone at any time.
        try db.execute(
            "UPDATE hanko_email SET is_primary = 0, updated_at = \(now) WHERE user_id = \(userID) AND is_primary"
        )
        try db.execute("UPDATE hanko_email SET is_primary = 1, updated_at = \(now) WHERE id = \(id)")
    }

    static func delete(_ id: String, in db: Connection) throws {
        try db.execute("DELETE FROM hanko_email WHERE id = \(id)")
    }
}
