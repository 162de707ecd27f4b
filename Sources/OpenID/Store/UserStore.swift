import Essentials
package import SQLite

/// The users who can log in at one authorization server.
package struct UserStore: Sendable {
    let server: String

    package func find(_ subject: String, in db: Connection) throws -> User? {
        try db.first(
            User.self, "SELECT * FROM openid_user WHERE server = \(server) AND subject = \(subject)")
    }

    package func find(username: String, in db: Connection) throws -> User? {
        try db.first(
            User.self, "SELECT * FROM openid_user WHERE server = \(server) AND username = \(username)")
    }

    package func username(of subject: String, in db: Connection) throws -> String? {
        try db.value(
            String.self,
            "SELECT username FROM openid_user WHERE server = \(server) AND subject = \(subject)")
    }

    /// In the order in which they came.
    package func all(in db: Connection) throws -> [User] {
        try db.all(User.self, "SELECT * FROM openid_user WHERE server = \(server) ORDER BY position")
    }

    /// - Throws: `SQLiteError.isUniqueViolation` for a subject or user name that is taken.
    package func insert(_ user: User, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO openid_user (server, subject, username, password, claims)
            VALUES (\(server), \(user.subject), \(user.username), \(user.password),
                \(JSONValue.object(user.claims).text))
            """)
    }

    /// Replaces everything but the subject.
    ///
    /// - Throws: `SQLiteError.isUniqueViolation` for a user name that is taken.
    func update(_ user: User, in db: Connection) throws {
        try db.execute(
            """
            UPDATE openid_user SET username = \(user.username), password = \(user.password),
                claims = \(JSONValue.object(user.claims).text)
            WHERE server = \(server) AND subject = \(user.subject)
            """)
    }
}
