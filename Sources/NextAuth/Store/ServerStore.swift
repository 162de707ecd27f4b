import Essentials
import SQLite

/// Virtual servers, in the order in which they were made. Who may make one is trusted; nothing bounds their number.
struct ServerStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_server (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE, -- Base64 with neither / nor +
            key TEXT NOT NULL, -- PEM
            public_key TEXT NOT NULL, -- SPKI in Base64
            secret TEXT NOT NULL, -- 32 bytes in base64url
            name TEXT NOT NULL,
            logo TEXT NOT NULL, -- Base64
            flags TEXT NOT NULL, -- JSON array of texts
            ping_time INTEGER NOT NULL, -- seconds
            pin_timeout INTEGER NOT NULL, -- minutes
            pin_trans_timeout INTEGER NOT NULL, -- minutes
            app_android TEXT,
            app_ios TEXT,
            app_name TEXT,
            app_url TEXT,
            site_url TEXT,
            web_socket_url TEXT,
            owner INTEGER,
            attributes TEXT NOT NULL, -- JSON object
            privileged_attributes TEXT NOT NULL -- JSON object
        ) STRICT
        """,
        """
        CREATE TABLE nextauth_attributes (
            name TEXT PRIMARY KEY, -- global
            value TEXT NOT NULL -- JSON object
        ) STRICT
        """,
    ]

    func find(_ id: String, in db: Connection) throws -> Server? {
        try db.first(Server.self, "SELECT * FROM nextauth_server WHERE id = \(id)")
    }

    func all(in db: Connection) throws -> [Server] {
        try db.all(Server.self, "SELECT * FROM nextauth_server ORDER BY position")
    }

    func insert(_ server: Server, in db: Connection) throws {
        let links = server.links
        try db.execute(
            """
            INSERT INTO nextauth_server (id, key, public_key, secret, name, logo, flags, ping_time, pin_timeout,
                pin_trans_timeout, app_android, app_ios, app_name, app_url, site_url, web_socket_url, owner,
                attributes, privileged_attributes)
            VALUES (\(server.id), \(server.key), \(server.publicKey), \(server.secret), \(server.name),
                \(server.logo), \(JSONValue(server.flags).text), \(server.pingTime), \(server.pinTimeout),
                \(server.pinTransTimeout), \(links.appAndroid), \(links.appIOS), \(links.appName),
                \(links.appURL), \(links.siteURL), \(links.webSocketURL), \(links.owner),
                \(JSONValue.object(server.attributes).text),
                \(JSONValue.object(server.privilegedAttributes).text))
            """)
    }

    /// Writes everything but id, key and secret.
    func update(_ server: Server, in db: Connection) throws {
        let links = server.links
        try db.execute(
            """
            UPDATE nextauth_server
            SET name = \(server.name), logo = \(server.logo), flags = \(JSONValue(server.flags).text),
                ping_time = \(server.pingTime), pin_timeout = \(server.pinTimeout),
                pin_trans_timeout = \(server.pinTransTimeout), app_android = \(links.appAndroid),
                app_ios = \(links.appIOS), app_name = \(links.appName), app_url = \(links.appURL),
                site_url = \(links.siteURL), web_socket_url = \(links.webSocketURL), owner = \(links.owner),
                attributes = \(JSONValue.object(server.attributes).text),
                privileged_attributes = \(JSONValue.object(server.privilegedAttributes).text)
            WHERE id = \(server.id)
            """)
    }
}

extension ServerStore {
    private static let global = "global"

    /// Attributes of the whole process.
    func globalAttributes(in db: Connection) throws -> [String: JSONValue] {
        let text = try db.value(
            String.self, "SELECT value FROM nextauth_attributes WHERE name = \(Self.global)")
        return try text.flatMap { try JSONValue(parsing: Array($0.utf8)).object } ?? [:]
    }

    func setGlobalAttributes(_ attributes: [String: JSONValue], in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO nextauth_attributes (name, value)
            VALUES (\(Self.global), \(JSONValue.object(attributes).text))
            ON CONFLICT DO UPDATE SET value = excluded.value
            """)
    }
}
