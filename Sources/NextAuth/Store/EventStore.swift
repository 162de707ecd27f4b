import Essentials
import SQLite

/// What devices are told: the newest 1,000 of each.
struct EventStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_event (
            instance TEXT NOT NULL,
            number INTEGER NOT NULL,
            kind TEXT NOT NULL,
            members TEXT NOT NULL, -- JSON object
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            PRIMARY KEY (instance, number)
        ) STRICT, WITHOUT ROWID
        """
    ]

    private static let limit = 1000

    /// Those behind `number`, oldest first.
    func all(of instance: String, after number: Int, in db: Connection) throws -> [DeviceEvent] {
        try db.all(
            DeviceEvent.self,
            """
            SELECT * FROM nextauth_event WHERE instance = \(instance) AND number > \(number) ORDER BY number
            """)
    }

    /// Of all devices, by device and number.
    func all(in db: Connection) throws -> [DeviceEvent] {
        try db.all(DeviceEvent.self, "SELECT * FROM nextauth_event ORDER BY instance, number")
    }

    func insert(_ event: DeviceEvent, in db: Connection) throws {
        try db.insert(event)
        try db.execute(
            """
            DELETE FROM nextauth_event
            WHERE instance = \(event.instance) AND number <= \(event.number - Self.limit)
            """)
    }

    func removeAll(of instance: String, in db: Connection) throws {
        try db.execute("DELETE FROM nextauth_event WHERE instance = \(instance)")
    }
}
