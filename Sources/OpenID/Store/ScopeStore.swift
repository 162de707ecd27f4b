import Essentials
import PlatformKit
package import SQLite

/// The scopes that one authorization server knows. While the table is empty they are the standard ones and whatever its clients
/// list.
package struct ScopeStore: Sendable {
    let server: String

    /// In the order in which they came; those of the table only.
    package func all(in db: Connection) throws -> [Scope] {
        try db.all(Scope.self, "SELECT * FROM openid_scope WHERE server = \(server) ORDER BY position")
    }

    /// - Throws: `SQLiteError.isUniqueViolation` for a name that is taken.
    package func insert(_ scope: Scope, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO openid_scope (server, name, description, needs_consent)
            VALUES (\(server), \(scope.name), \(scope.description ?? ""), \(scope.needsConsent ?? false))
            """)
    }

    /// Every scope that can be asked for, for metadata and pages.
    package func known(in db: Connection) throws -> [Scope] {
        let listed = try all(in: db)
        if !listed.isEmpty { return listed }
        let standard = Set(Scope.standard.map(\.name))
        let others = ScopeList(
            try ClientStore(server: server).all(in: db).flatMap {
                $0.scopes.names + ($0.defaultScopes?.names ?? [])
            })
        return Scope.standard + others.names.filter { !standard.contains($0) }.map { Scope($0) }
    }

    /// The scopes that a client may ask for: those of its metadata, or the standard ones when they do not say.
    package func assigned(to client: Client) -> ScopeList {
        client.metadata.scope == nil ? ScopeList(Scope.standard.map(\.name)) : client.scopes
    }

    /// What a request gets that asks for `text`; the client's default when it asks for nothing.
    ///
    /// - Parameter demandsScope: whether asking for nothing is refused when there is no default.
    package func resolve(
        _ text: String?, for client: Client, demandsScope: Bool, in db: Connection
    ) throws -> Result<ScopeList, ScopeFault> {
        let asked = ScopeList(text ?? "")
        if asked.isEmpty {
            if let scopes = client.defaultScopes, !scopes.isEmpty { return .success(scopes) }
            return demandsScope ? .failure(.missing) : .success(asked)
        }
        let assigned = assigned(to: client)
        let unknown = try self.unknown(asked, in: db)
        if let first = unknown.first {
            let near = try all(in: db).map(\.name).filter { $0.utf8.count <= 64 }
            return .failure(
                .unknown(
                    unknown,
                    nearest: first.utf8.count > 64 ? nil : Suggestion.nearest(to: first, among: near)))
        }
        let foreign = asked.missing(in: assigned)
        return foreign.isEmpty ? .success(asked) : .failure(.notAssigned(foreign, assigned: assigned.names))
    }

    /// Without a table every name is known that some client lists; one that this client lacks is then not assigned to it.
    private func unknown(_ asked: ScopeList, in db: Connection) throws -> [String] {
        let known = Set(try all(in: db).map(\.name))
        return known.isEmpty ? [] : asked.names.filter { !known.contains($0) }
    }
}
