import Essentials
package import PlatformKit
import SQLite

extension NextAuth {
    /// How many of each kind the list has, the newest.
    private static let shown = 500

    /// Servers, users, accounts, devices, sessions and codes for enrolments.
    package func records() throws -> [ConsoleRecord] {
        let found = try look { db, now in
            var records = try db.all(Server.self).map { try record($0, in: db) }
            records += try db.all(User.self).suffix(Self.shown).map { try record($0, in: db) }
            records += try db.all(Account.self).suffix(Self.shown).map { try record($0, in: db) }
            records += try db.all(Instance.self).suffix(Self.shown).map { try record($0, in: db) }
            records += try DeviceSession.newest(Self.shown, in: db).map { try record($0, in: db) }
            records += try db.all(Code.self, where: "kind = \(Code.Kind.enrol.rawValue)").suffix(Self.shown)
                .map { try record($0, at: now, in: db) }
            return records
        }
        // Stable: what is of the same time keeps the order of the kinds.
        return found.enumerated().sorted {
            ($1.element.createdAt, $0.offset) < ($0.element.createdAt, $1.offset)
        }.map(\.element)
    }

    package func record(_ id: String) throws -> ConsoleRecord? {
        guard let (kind, key) = RecordKind.parse(id) else { return nil }
        return try look { db, now in
            switch kind {
            case .server: try Server.find(key, in: db).map { try record($0, in: db) }
            case .user: try user(recordKey: key, in: db).map { try record($0, in: db) }
            case .account:
                try Int(key).flatMap { try Account.find($0, in: db) }.map { try record($0, in: db) }
            case .device: try Instance.find(key, in: db).map { try record($0, in: db) }
            case .session: try DeviceSession.find(key, in: db).map { try record($0, in: db) }
            case .enrolment:
                try Code.find(key, in: db).flatMap { $0.kind == .enrol ? $0 : nil }
                    .map { try record($0, at: now, in: db) }
            }
        }
    }

    func user(recordKey: String, in db: Connection) throws -> User? {
        let parts = recordKey.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        return try User.find(parts[1], of: parts[0], in: db)
    }

    private func name(_ server: String, in db: Connection) throws -> String {
        try Server.find(server, in: db)?.name ?? server
    }

    private func record(_ server: Server, in db: Connection) throws -> ConsoleRecord {
        server.record(accounts: try Account.all(of: server.id, in: db).count)
    }

    private func record(_ user: User, in db: Connection) throws -> ConsoleRecord {
        user.record(
            accounts: try Account.all(of: user.server, user: user.id, in: db),
            serverName: try name(user.server, in: db))
    }

    private func record(_ account: Account, in db: Connection) throws -> ConsoleRecord {
        account.record(serverName: try name(account.server, in: db))
    }

    private func record(_ instance: Instance, in db: Connection) throws -> ConsoleRecord {
        instance.record(
            accounts: try Account.all(ofInstance: instance.id, in: db),
            tries: try world.settings(in: db).tries)
    }

    private func record(_ login: DeviceSession, in db: Connection) throws -> ConsoleRecord {
        login.record(
            account: try Account.find(login.account, in: db), serverName: try name(login.server, in: db))
    }

    private func record(_ code: Code, at now: Date, in db: Connection) throws -> ConsoleRecord {
        code.record(serverName: try name(code.server, in: db), at: now)
    }
}
