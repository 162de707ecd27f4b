package import Essentials
package import SQLite

/// A user who can log in at this server's own pages.
package struct User: Record, Equatable {
    package static let table = Table("openid_user", key: "server", "sub", order: "position")

    /// `sub`
    package var subject: String
    /// What is typed at the login page.
    package var username: String
    /// Nil for a user who logs in by a click alone.
    package var password: String?
    /// Claims by name, without `sub`: the standard's (OpenID Connect Core 1.0 §5.1) and any other.
    package var claims: [String: JSONValue]

    package enum CodingKeys: String, CodingKey {
        case subject = "sub"
        case username, password, claims
    }

    package init(
        subject: String, username: String, password: String? = nil, claims: [String: JSONValue] = [:]
    ) {
        (self.subject, self.username, self.password, self.claims) = (subject, username, password, claims)
    }

    /// What is wrong with it. Source: OpenID Connect Core 1.0 §2.
    var fault: String? {
        1...255 ~= subject.utf8.count && subject.utf8.allSatisfy { 0x20...0x7E ~= $0 }
            ? nil : "expected 1 to 255 characters of ASCII"
    }

    package var displayName: String { claims["name"]?.string ?? username }
}

extension ServerRecords<User> {
    package func find(_ subject: String, in db: Connection) throws -> User? {
        try first(where: "sub = \(subject)", in: db)
    }

    package func find(username: String, in db: Connection) throws -> User? {
        try first(where: "username = \(username)", in: db)
    }

    package func username(of subject: String, in db: Connection) throws -> String? {
        try db.value(
            String.self, "SELECT username FROM openid_user WHERE server = \(server) AND sub = \(subject)")
    }
}
