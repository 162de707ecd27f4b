import Essentials
import SQLite

/// Something that a device is told, by long poll or WebSocket: the newest 1,000 of each.
struct DeviceEvent: Record, Equatable {
    static let table = Table("nextauth_event", key: "instance", "number", order: "instance, number")

    enum Kind: String, Sendable, Codable, CaseIterable {
        case ping = "PING"
        case sessionStop = "SESSION_STOP"
        case accountDeleted = "ACCOUNT_DELETED"
        case accountUpdated = "ACCOUNT_UPDATED"
        case serverUpdated = "SERVER_UPDATED"
        case message = "MESSAGE"
    }

    let instance: String
    /// From 1, without a gap, for each instance.
    let number: Int
    let kind: Kind
    /// What the wire shows beside number and type.
    let members: [String: JSONValue]
    let createdAt: Date

    enum CodingKeys: String, CodingKey {
        case instance, number, kind, members
        case createdAt = "created_at"
    }

    /// What rings for the device with this id are about.
    static func topic(_ instance: String) -> String { "nextauth/" + instance }

    var json: JSONValue {
        .object(members.merging(["seq": .integer(number), "type": .string(kind.rawValue)]) { _, own in own })
    }

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
}

extension DeviceEvent {
    /// Those behind `number`, oldest first.
    static func all(of instance: String, after number: Int, in db: Connection) throws -> [DeviceEvent] {
        try db.all(DeviceEvent.self, where: "instance = \(instance) AND number > \(number)", order: "number")
    }

    /// The number of the newest one; 0 when there was none.
    static func last(of instance: String, in db: Connection) throws -> Int {
        try db.value(Int.self, "SELECT max(number) FROM nextauth_event WHERE instance = \(instance)") ?? 0
    }

    private static let limit = 1000

    /// Keeps it, and takes away what is too old.
    func insert(in db: Connection) throws {
        try db.insert(self)
        try db.delete(DeviceEvent.self, where: "instance = \(instance) AND number <= \(number - Self.limit)")
    }
}
