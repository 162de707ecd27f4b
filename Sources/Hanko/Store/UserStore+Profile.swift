import SQLite

extension UserStore {
    /// Everything that is the user's goes along.
    static func delete(_ id: String, in db: Connection) throws {
        try db.execute("DELETE FROM hanko_user WHERE id = \(id)")
    }
}
