import Essentials
import SQLite

/// What a role may do on one server, or on all.
struct Grant: Sendable, Equatable, RowDecodable {
    let role: String
    /// Nil for all servers.
    let server: String?
    let permissions: [Permission]

    init(role: String, server: String?, permissions: [Permission]) {
        (self.role, self.server, self.permissions) = (role, server, permissions)
    }

    init(row: Row) throws {
        let server = try row.text("server")
        self.init(
            role: try row.text("role"), server: server.isEmpty ? nil : server,
            permissions: try row.strings("permissions").compactMap(Permission.init(rawValue:)))
    }
}

extension Sequence where Element == Grant {
    /// Whether these grants allow it there; a global one allows it everywhere, and global `root` allows everything.
    func allow(_ permission: Permission, on server: String?) -> Bool {
        contains { grant in
            if grant.server == nil, grant.permissions.contains(.root) { return true }
            return (grant.server == nil || grant.server == server) && grant.permissions.contains(permission)
        }
    }
}
