import Essentials
import SQLite

/// Metadata, one row a user. Its table stands with ``AccountSchema``.
enum MetadataStore {
    static func metadata(of userID: String, in db: Connection) throws -> Metadata {
        try db.first(Metadata.self, "SELECT * FROM hanko_metadata WHERE user_id = \(userID)") ?? Metadata()
    }

    static func set(_ metadata: Metadata, of userID: String, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO hanko_metadata (user_id, public, private, unsafe)
            VALUES (
                \(userID), \(metadata.public?.text), \(metadata.private?.text), \(metadata.unsafe?.text)
            )
            ON CONFLICT (user_id) DO UPDATE SET
                public = excluded.public, private = excluded.private, unsafe = excluded.unsafe
            """)
    }
}
