import Essentials
import SQLite

/// Webhooks that were registered over the admin API.
struct WebhookStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE hanko_webhook (
            id TEXT PRIMARY KEY,
            callback TEXT NOT NULL, -- URL
            is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
            failures INTEGER NOT NULL, -- since the last success
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            events TEXT NOT NULL, -- JSON array of text
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            updated_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]

    let database: Database

    /// What an event finds.
    struct Receivers: Sendable {
        var hooks: [Webhook] = []
        /// Switched off just now, because their time is over.
        var expired: [Webhook] = []
    }

    /// The hooks that want to hear of `event`.
    ///
    /// - Parameter expiring: whether hooks end when their time is over.
    func receivers(of event: WebhookEvent, expiring: Bool, at now: Date) throws -> Receivers {
        let wanting = try database.read { try Self.all(in: $0).filter { $0.isEnabled && $0.wants(event) } }
        guard expiring, wanting.contains(where: { $0.expiresAt < now }) else {
            return Receivers(hooks: wanting)
        }
        return try database.write { db in
            var receivers = Receivers()
            for var hook in try Self.all(in: db) where hook.isEnabled && hook.wants(event) {
                if hook.expiresAt >= now {
                    receivers.hooks.append(hook)
                    continue
                }
                (hook.isEnabled, hook.updatedAt) = (false, now)
                try Self.update(hook, in: db)
                receivers.expired.append(hook)
            }
            return receivers
        }
    }

    /// Remembers how a call went.
    ///
    /// - Returns: the hook, if this call switched it off.
    func note(success: Bool, of id: String, at now: Date) throws -> Webhook? {
        try database.write { db in
            guard let before = try Self.webhook(id, in: db) else { return nil }
            let after = before.noting(success: success, at: now)
            try Self.update(after, in: db)
            return before.isEnabled && !after.isEnabled ? after : nil
        }
    }

    /// In the order in which they came.
    static func all(in db: Connection) throws -> [Webhook] {
        try db.all(Webhook.self, "SELECT * FROM hanko_webhook ORDER BY rowid")
    }

    static func webhook(_ id: String, in db: Connection) throws -> Webhook? {
        try db.first(Webhook.self, "SELECT * FROM hanko_webhook WHERE id = \(id)")
    }

    static func insert(_ hook: Webhook, into db: Connection) throws {
        try db.execute(
            """
            INSERT INTO hanko_webhook (
                id, callback, is_enabled, failures, expires_at, events, created_at, updated_at
            ) VALUES (
                \(hook.id), \(hook.callback), \(hook.isEnabled), \(hook.failures), \(hook.expiresAt),
                \(JSONText.text(hook.events.map(\.rawValue))), \(hook.createdAt), \(hook.updatedAt)
            )
            """)
    }

    static func update(_ hook: Webhook, in db: Connection) throws {
        try db.execute(
            """
            UPDATE hanko_webhook SET
                callback = \(hook.callback), is_enabled = \(hook.isEnabled), failures = \(hook.failures),
                expires_at = \(hook.expiresAt), events = \(JSONText.text(hook.events.map(\.rawValue))),
                updated_at = \(hook.updatedAt)
            WHERE id = \(hook.id)
            """)
    }
}
