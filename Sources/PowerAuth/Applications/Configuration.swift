import Essentials
import SQLite

/// What administrators set for an application by name, and what nothing here depends on: it is handed out as it came.
struct Configuration: Record, Equatable {
    static let table = Table("powerauth_configuration", key: "application", "kind", "name")

    enum Kind: String, Codable, Sendable {
        /// Keys of `application/config` in the management API.
        case settings
        /// By ``PushDevice.Service``.
        case push
        /// ``RecoverySettings`` under one name.
        case recovery
    }

    let application: String
    let kind: Kind
    let name: String
    let value: JSONValue
}

extension Configuration {
    static func all(_ kind: Kind, of application: String, in db: Connection) throws -> [String: JSONValue] {
        let entries = try db.all(
            Configuration.self, where: "application = \(application) AND kind = \(kind.rawValue)")
        return Dictionary(entries.map { ($0.name, $0.value) }) { _, last in last }
    }
}
