import Essentials
import SQLite

/// The devices that get pushes, one to an activation.
struct PushDeviceStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_push_device (
            activation TEXT NOT NULL PRIMARY KEY,
            application TEXT NOT NULL,
            user TEXT NOT NULL,
            service TEXT NOT NULL,
            token TEXT NOT NULL,
            environment TEXT,
            registered_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX powerauth_push_device_user ON powerauth_push_device (user)",
    ]

    func find(activation: String, in db: Connection) throws -> PushDevice? {
        try db.first(
            PushDevice.self, "SELECT * FROM powerauth_push_device WHERE activation = \(activation)")
    }

    /// Those of a user in every application, in the order in which they registered.
    func all(of user: String, in db: Connection) throws -> [PushDevice] {
        try db.all(
            PushDevice.self,
            "SELECT * FROM powerauth_push_device WHERE user = \(user) ORDER BY registered_at, rowid")
    }

    /// In the order in which they registered.
    func all(in db: Connection) throws -> [PushDevice] {
        try db.all(PushDevice.self, "SELECT * FROM powerauth_push_device ORDER BY registered_at, rowid")
    }

    /// Registers the device, in the place of the activation's earlier one.
    func save(_ device: PushDevice, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO powerauth_push_device (activation, application, user, service, token, environment,
                registered_at)
            VALUES (\(device.activation), \(device.application), \(device.user), \(device.service.rawValue),
                \(device.token), \(device.environment?.rawValue), \(device.registeredAt))
            ON CONFLICT (activation) DO UPDATE SET application = excluded.application, user = excluded.user,
                service = excluded.service, token = excluded.token, environment = excluded.environment,
                registered_at = excluded.registered_at
            """)
    }

    /// Nothing happens when the activation has none.
    func remove(activation: String, in db: Connection) throws {
        try db.execute("DELETE FROM powerauth_push_device WHERE activation = \(activation)")
    }
}
