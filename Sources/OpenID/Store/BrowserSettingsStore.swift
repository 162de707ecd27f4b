import Essentials
package import SQLite

/// The ``BrowserSettings`` of one authorization server, one row or none.
package struct BrowserSettingsStore: Sendable {
    let server: String

    /// Nil when the fixtures said nothing.
    package func stored(in db: Connection) throws -> BrowserSettings? {
        try db.value(String.self, "SELECT settings FROM openid_browser_settings WHERE server = \(server)")
            .map { try JSONDecoder().decode(BrowserSettings.self, from: Data($0.utf8)) }
    }

    package func settings(in db: Connection) throws -> BrowserSettings {
        try stored(in: db) ?? BrowserSettings()
    }

    package func replace(with settings: BrowserSettings, in db: Connection) throws {
        let text = String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
        try db.execute(
            """
            INSERT INTO openid_browser_settings (server, settings) VALUES (\(server), \(text))
            ON CONFLICT DO UPDATE SET settings = excluded.settings
            """)
    }
}
