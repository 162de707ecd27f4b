import Essentials
import SQLite

extension DeviceStore {
    /// Every tombstone, in the order in which they came.
    func tombstones(in db: Connection) throws -> [Tombstone] {
        try db.all(Tombstone.self, "SELECT * FROM onegini_tombstone ORDER BY rowid")
    }

    /// Those of a kind are forgotten, since what they remember has been told or is there again.
    ///
    /// - Returns: whether there were any that were not too old.
    @discardableResult
    func forget(
        _ kind: Tombstone.Kind, of clientID: String, profile: String?, at now: Date, in db: Connection
    ) throws -> Bool {
        let isKept = try tombstone(kind, of: clientID, profile: profile, at: now, in: db) != nil
        try db.execute(
            """
            DELETE FROM onegini_tombstone
            WHERE kind = \(kind.rawValue) AND client_id = \(clientID) AND profile_id IS \(profile)
            """)
        return isKept
    }

    /// Adds a tombstone and drops those that are older than their lifetime.
    func bury(_ tombstone: Tombstone, in db: Connection) throws {
        try db.execute(
            "DELETE FROM onegini_tombstone WHERE removed_at <= \(tombstone.at - Tombstone.lifetimeSeconds)")
        try insert(tombstone, in: db)
    }

    /// Profiles of the device that were dropped here and of which it was not told yet, oldest first.
    func unreportedProfiles(on clientID: String, in db: Connection) throws -> [String] {
        var ids: [String] = []
        try db.each(
            """
            SELECT profile_id FROM onegini_removed_profile WHERE client_id = \(clientID) ORDER BY rowid
            """
        ) { ids.append(try $0.text("profile_id")) }
        return ids
    }

    /// Remembers that the device is to be told.
    func noteRemoval(of profileID: String, on clientID: String, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO onegini_removed_profile (client_id, profile_id) VALUES (\(clientID), \(profileID))
            ON CONFLICT DO NOTHING
            """)
    }

    /// The device was told of its removed profiles, or of one that is there again.
    func forgetRemovals(on clientID: String, profile: String? = nil, in db: Connection) throws {
        try db.execute(
            """
            DELETE FROM onegini_removed_profile
            WHERE client_id = \(clientID) AND profile_id = coalesce(\(profile), profile_id)
            """)
    }
}
