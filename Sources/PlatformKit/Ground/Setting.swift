import Essentials
package import SQLite

/// A value of a platform as a whole, such as its limits, that fixtures set: kept as JSON under its name.
///
///     static let limits = Setting<Limits>("acme.limits")
///     let limits = try Self.limits.value(in: db) ?? Limits()
package struct Setting<Value: Codable & Sendable>: Sendable {
    private let name: String

    /// - Parameter name: unique in the world, with the platform's name before it.
    package init(_ name: String) { self.name = name }

    /// Nil when nothing was set.
    package func value(in db: Connection) throws -> Value? {
        try db.first(SettingRow.self, where: "name = \(name)").map {
            try JSONDecoder().decode(Value.self, from: Data($0.value.utf8))
        }
    }

    /// Nil takes the value away.
    package func set(_ value: Value?, in db: Connection) throws {
        guard let value else { return try db.delete(SettingRow.self, where: "name = \(name)") }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try db.save(SettingRow(name: name, value: String(decoding: try encoder.encode(value), as: UTF8.self)))
    }
}

struct SettingRow: Record {
    static let table = Table("kit_setting", key: "name")
    static let migrations: [SQL] = [
        """
        CREATE TABLE kit_setting (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL -- JSON
        ) STRICT
        """
    ]

    let name: String
    let value: String
}
