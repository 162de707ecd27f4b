import SQLite

extension SettingsStore {
    /// The decoded value under `name`; nil when nothing stands there.
    func value<Value: Decodable>(_ type: Value.Type, _ name: String, in db: Connection) throws -> Value? {
        try text(name, in: db).map { try JSONText.decode(type, $0) }
    }

    func set(_ name: String, _ value: some Encodable, in db: Connection) throws {
        try set(name, try JSONText.of(value), in: db)
    }

    static let enrollmentName = "enrollment"

    func enrollment(in db: Connection) throws -> EnrollmentSettings {
        try value(EnrollmentSettings.self, Self.enrollmentName, in: db) ?? EnrollmentSettings()
    }
}
