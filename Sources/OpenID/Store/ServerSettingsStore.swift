import Essentials
import PlatformKit
package import SQLite

/// The ``ServerSettings`` of one authorization server, one row or none.
package struct ServerSettingsStore: Sendable {
    let server: String

    /// Nil when the fixtures said nothing.
    package func stored(in db: Connection) throws -> ServerSettings? {
        try db.value(String.self, "SELECT settings FROM openid_settings WHERE server = \(server)")
            .map { try JSONDecoder().decode(ServerSettings.self, from: Data($0.utf8)) }
    }

    package func insert(_ settings: ServerSettings, in db: Connection) throws {
        let text = String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
        try db.execute("INSERT INTO openid_settings (server, settings) VALUES (\(server), \(text))")
    }
}

extension AuthorizationServer {
    /// What the fixtures decided.
    package func settings() throws -> ServerSettings {
        try services.memo.value("\(profile.name).openid.settings") {
            try database.read { try ServerSettingsStore(server: profile.name).stored(in: $0) }
                ?? ServerSettings()
        }
    }

    /// The same inside of a transaction.
    func settings(in db: Connection) throws -> ServerSettings {
        try services.memo.value("\(profile.name).openid.settings") {
            try ServerSettingsStore(server: profile.name).stored(in: db) ?? ServerSettings()
        }
    }
}
