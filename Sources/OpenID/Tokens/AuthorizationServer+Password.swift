import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// The grant `password`, for clients that are registered for it. Source: RFC 6749 §4.3; RFC 9700 §2.4 advises against it.
    func grantByPassword(_ call: ClientCall) throws -> PreparedTokens {
        let purpose = "the grant “password”"
        let name = try call.form.require("username", for: purpose)
        let password = try call.form.require("password", for: purpose)
        let user = try database.read { db in try checked(name, password, in: db) }
        let grant = try ruled(
            Grant(
                id: uuid(for: "grant"), clientID: call.client.id, subject: user.subject,
                scope: try requestedScope(call), issuer: try issuer(call.request), type: GrantType.password,
                authenticatedAt: call.now, amr: ["pwd"], audience: try audience(of: call),
                createdAt: call.now), call)
        return try world.change { turn in
            // Once more: somebody was asked in between.
            guard try checked(name, password, in: turn.db).subject == user.subject else {
                throw IssueRefusal.outdated(clientID: call.client.id)
            }
            try grants.insert(grant, in: turn.db)
            return try prepare(call, grant, in: turn.db)
        }
    }

    private func checked(_ name: String, _ password: String, in db: Connection) throws -> User {
        guard let user = try users.find(username: name, in: db) else {
            throw PasswordRefusal.userUnknown(name)
        }
        guard let expected = user.password else { throw PasswordRefusal.passwordless(name) }
        guard constantTimeEqual(Array(expected.utf8), Array(password.utf8)) else {
            throw PasswordRefusal.passwordWrong(name)
        }
        return user
    }
}
