package import SQLite

/// The software authenticators of a world. They are no part of its fixtures: loading fixtures and a reset remove them.
package struct AuthenticatorStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE kit_authenticator (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            name TEXT,
            phone TEXT UNIQUE, -- of the phone whose passkeys it keeps
            origin TEXT,
            behaviour TEXT NOT NULL, -- JSON
            created_at INTEGER NOT NULL -- milliseconds since 1970 UTC, by the world's clock
        ) STRICT
        """,
        """
        CREATE TABLE kit_authenticator_credential (
            authenticator TEXT NOT NULL REFERENCES kit_authenticator (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            id BLOB NOT NULL,
            relying_party_id TEXT NOT NULL,
            user_handle BLOB NOT NULL,
            user_name TEXT NOT NULL,
            algorithm INTEGER NOT NULL, -- of COSE
            private_key TEXT NOT NULL, -- PKCS #8 in PEM
            sign_count INTEGER NOT NULL,
            cred_random BLOB, -- of the extension prf
            keeps_large_blob INTEGER NOT NULL,
            large_blob BLOB,
            PRIMARY KEY (authenticator, position)
        ) STRICT, WITHOUT ROWID
        """,
    ]

    let database: Database

    package init(database: Database) { self.database = database }

    /// Oldest first.
    package func authenticators() throws -> [KeptAuthenticator] {
        try database.read { db in
            try db.all(KeptAuthenticator.self, "SELECT * FROM kit_authenticator ORDER BY position")
                .map { try Self.complete($0, in: db) }
        }
    }

    /// nil when there is none of that id.
    package func authenticator(_ id: String) throws -> KeptAuthenticator? {
        try database.read { try Self.authenticator(id, in: $0) }
    }

    /// That of a phone; nil when it has none.
    package func authenticator(ofPhone name: String) throws -> KeptAuthenticator? {
        try database.read { try Self.authenticator(ofPhone: name, in: $0) }
    }

    private static func authenticator(ofPhone name: String, in db: Connection) throws -> KeptAuthenticator? {
        try db.first(KeptAuthenticator.self, "SELECT * FROM kit_authenticator WHERE phone = \(name)")
            .map { try complete($0, in: db) }
    }

    /// With a phone go its passkeys.
    package static func delete(ofPhone name: String, in db: Connection) throws {
        try db.execute(
            """
            DELETE FROM kit_authenticator_credential WHERE authenticator IN
            (SELECT id FROM kit_authenticator WHERE phone = \(name))
            """)
        try db.execute("DELETE FROM kit_authenticator WHERE phone = \(name)")
    }

    /// Keeps a new one.
    ///
    /// - Parameter limit: how many there may be.
    /// - Returns: what there is then: the new one, or that which its phone has already; nil when there are as many already.
    package func add(_ authenticator: KeptAuthenticator, limit: Int) throws -> KeptAuthenticator? {
        try database.write { db in
            if let phone = authenticator.phone, let there = try Self.authenticator(ofPhone: phone, in: db) {
                return there
            }
            let count = try db.value(Int.self, "SELECT count(*) FROM kit_authenticator") ?? 0
            guard count < limit else { return nil }
            try db.execute(
                """
                INSERT INTO kit_authenticator (id, name, phone, origin, behaviour, created_at) VALUES (
                    \(authenticator.id), \(authenticator.name), \(authenticator.phone), \(authenticator.origin),
                    \(Self.text(authenticator.behaviour)), \(authenticator.createdAt)
                )
                """)
            return authenticator
        }
    }

    /// Runs `change` on an authenticator in one transaction, and keeps what it made of it. Nothing is kept when it throws.
    ///
    /// - Returns: nil when there is none of that id.
    package func change<Result: Sendable>(
        _ id: String, _ change: (inout KeptAuthenticator) throws -> Result
    ) throws -> Result? {
        try database.write { db in
            guard let before = try Self.authenticator(id, in: db) else { return nil }
            var after = before
            let result = try change(&after)
            try db.execute(
                """
                UPDATE kit_authenticator
                SET name = \(after.name), origin = \(after.origin), behaviour = \(Self.text(after.behaviour))
                WHERE id = \(id)
                """)
            if after.credentials != before.credentials { try Self.keep(after.credentials, of: id, in: db) }
            return result
        }
    }

    /// - Returns: false when there is none of that id.
    package func delete(_ id: String) throws -> Bool {
        try database.write { db in
            try db.execute("DELETE FROM kit_authenticator_credential WHERE authenticator = \(id)")
            try db.execute("DELETE FROM kit_authenticator WHERE id = \(id)")
            return db.changes > 0
        }
    }

    private static func authenticator(_ id: String, in db: Connection) throws -> KeptAuthenticator? {
        try db.first(KeptAuthenticator.self, "SELECT * FROM kit_authenticator WHERE id = \(id)")
            .map { try complete($0, in: db) }
    }

    private static func complete(
        _ authenticator: KeptAuthenticator, in db: Connection
    ) throws -> KeptAuthenticator {
        var authenticator = authenticator
        authenticator.credentials = try db.all(
            KeptCredential.self,
            """
            SELECT * FROM kit_authenticator_credential WHERE authenticator = \(authenticator.id)
            ORDER BY position
            """)
        return authenticator
    }

    private static func keep(
        _ credentials: [KeptCredential], of id: String, in db: Connection
    ) throws {
        try db.execute("DELETE FROM kit_authenticator_credential WHERE authenticator = \(id)")
        for (position, credential) in credentials.enumerated() {
            try db.execute(
                """
                INSERT INTO kit_authenticator_credential VALUES (
                    \(id), \(position), \(credential.id), \(credential.relyingPartyID),
                    \(credential.userHandle), \(credential.userName), \(credential.algorithm),
                    \(credential.privateKey), \(credential.signCount), \(credential.credRandom),
                    \(credential.keepsLargeBlob), \(credential.largeBlob)
                )
                """)
        }
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
