import Essentials
import PlatformKit
package import SQLite

/// Something that clients may ask for by name. Source: RFC 6749 §3.3.
package struct Scope: Record, Equatable {
    package static let table = Table("openid_scope", key: "server", "name", order: "position")

    package var name: String
    /// For the consent page: what a client with it may do.
    package var description: String?
    /// Whether the user is asked before a client gets it for the first time.
    package var needsConsent: Bool?

    package init(_ name: String, _ description: String? = nil, needsConsent: Bool? = nil) {
        (self.name, self.description, self.needsConsent) = (name, description, needsConsent)
    }

    package enum CodingKeys: String, CodingKey {
        case name, description
        case needsConsent = "needs_consent"
    }

    /// Source: OpenID Connect Core 1.0 §5.4, §11.
    package static let standard = [
        Scope("openid", "Know who you are"),
        Scope("profile", "Read your name, picture and other parts of your profile"),
        Scope("email", "Read your email address"),
        Scope("address", "Read your postal address"),
        Scope("phone", "Read your telephone number"),
        Scope("offline_access", "Stay connected while you are away"),
    ]
}

/// The scopes that one authorization server knows. While the table is empty they are the standard ones and whatever its clients
/// list.
extension ServerRecords<Scope> {
    /// Every scope that can be asked for, for metadata and pages.
    package func known(in db: Connection) throws -> [Scope] {
        let listed = try all(in: db)
        if !listed.isEmpty { return listed }
        let standard = Set(Scope.standard.map(\.name))
        let others = ScopeList(
            try ServerRecords<Client>(server: server).all(in: db).flatMap {
                $0.scopes.names + ($0.defaultScopes?.names ?? [])
            })
        return Scope.standard + others.names.filter { !standard.contains($0) }.map { Scope($0) }
    }

    /// The scopes that a client may ask for: those of its metadata, or the standard ones when they do not say.
    package func assigned(to client: Client) -> ScopeList {
        client.metadata.scope == nil ? ScopeList(Scope.standard.map(\.name)) : client.scopes
    }

    /// Writes down the scopes that are known without a table, so that adding or removing one leaves the others known.
    package func writeDown(in db: Connection) throws {
        guard try all(in: db).isEmpty else { return }
        for scope in try known(in: db) { try insert(scope, in: db) }
    }

    package func remove(_ name: String, in db: Connection) throws {
        try delete(where: "name = \(name)", in: db)
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
