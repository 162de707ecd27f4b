import Essentials
import PlatformKit
import SQLite

extension SampleApp {
    func begin(_ session: Session) throws { try world.change { try $0.insert(session) } }

    /// The session with this cookie, which is not over.
    func session(_ id: String) throws -> Session? {
        let now = services.clock.now()
        return try database.read { try $0.first(Session.self, where: "id = \(id) AND expires_at > \(now)") }
    }

    func end(session id: String) throws {
        try world.change { try $0.db.delete(Session.self, where: "id = \(id)") }
    }
}

extension SampleApp {
    /// Writes the answer down; the first one counts.
    func answer(_ id: String, user: String?, reason: String?) throws {
        try world.change { turn in
            guard var login = try turn.first(Login.self, where: "id = \(id)"), login.state == .waiting else {
                return
            }
            (login.state, login.user, login.reason) = (user == nil ? .refused : .approved, user, reason)
            login.answeredAt = turn.now
            try turn.update(login)
        }
    }

    /// Trades an approved login for a session. False when another request was faster.
    func takeUp(_ login: Login, as session: Session) throws -> Bool {
        try world.change { turn in
            guard var login = try turn.first(Login.self, where: "id = \(login.id)"), login.state == .approved
            else { return false }
            login.state = .used
            try turn.update(login)
            try turn.insert(session)
            return true
        }
    }
}

extension SampleApp {
    /// Remembers a login; those that began more than a day ago are forgotten.
    func begin(_ login: MobileLogin) throws {
        try world.change { turn in
            try turn.db.delete(MobileLogin.self, where: "started_at < \(login.startedAt - 86_400)")
            try turn.insert(login)
        }
    }

    /// Trades a login for a session of its user. False when another request was faster.
    func use(_ login: MobileLogin, as session: Session) throws -> Bool {
        try world.change { turn in
            guard
                var login = try turn.first(
                    MobileLogin.self, where: "operation_id = \(login.operationID) AND used_at IS NULL")
            else { return false }
            login.usedAt = turn.now
            try turn.update(login)
            try turn.insert(session)
            return true
        }
    }
}

extension SampleApp {
    /// Remembers a login; those that began more than a day ago are forgotten.
    func begin(_ login: MIRACLLogin) throws {
        try world.change { turn in
            try turn.db.delete(MIRACLLogin.self, where: "started_at < \(login.startedAt - 86_400)")
            try turn.insert(login)
        }
    }

    /// Uses a login up. False when it was used before.
    func use(_ login: MIRACLLogin) throws -> Bool {
        try world.change { turn in
            guard
                var login = try turn.first(
                    MIRACLLogin.self, where: "state = \(login.state) AND used_at IS NULL")
            else { return false }
            login.usedAt = turn.now
            try turn.update(login)
            return true
        }
    }
}
