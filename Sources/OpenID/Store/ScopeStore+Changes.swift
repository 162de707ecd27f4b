import Essentials
package import SQLite

extension ScopeStore {
    /// Writes down the scopes that are known without a table, so that adding or removing one leaves the others known.
    package func writeDown(in db: Connection) throws {
        guard try all(in: db).isEmpty else { return }
        for scope in try known(in: db) { try insert(scope, in: db) }
    }

    /// Replaces what is said about the scope with this name.
    package func update(_ scope: Scope, in db: Connection) throws {
        try db.execute(
            """
            UPDATE openid_scope SET description = \(scope.description ?? ""),
                needs_consent = \(scope.needsConsent ?? false)
            WHERE server = \(server) AND name = \(scope.name)
            """)
    }

    package func remove(_ name: String, in db: Connection) throws {
        try db.execute("DELETE FROM openid_scope WHERE server = \(server) AND name = \(name)")
    }
}
