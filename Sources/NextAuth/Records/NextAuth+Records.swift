import Essentials
package import PlatformKit
package import SQLite

/// Servers, users, accounts, devices, sessions and codes for enrolments.
extension NextAuth: KeepsRecords {
    package static let recordKinds = [
        RecordKind<NextAuth>(.server) { platform, _, db in
            try db.all(Server.self).map { try platform.record($0, in: db) }
        } find: { platform, key, db in
            try Server.find(key, in: db).map { try platform.record($0, in: db) }
        } act: {
            try $0.change(serverWithID: $2, $3, in: $4)
        },
        RecordKind(.user) { platform, limit, db in
            try db.all(User.self).suffix(limit).map { try platform.record($0, in: db) }
        } find: { platform, key, db in
            try platform.user(recordKey: key, in: db).map { try platform.record($0, in: db) }
        } act: { platform, _, key, _, turn in
            guard let user = try platform.user(recordKey: key, in: turn.db) else {
                throw RecordRefusal.unknown(Holding.user.id(key))
            }
            try platform.accounts.remove(user, in: turn)
        },
        RecordKind(.account) { platform, limit, db in
            try db.all(Account.self).suffix(limit).map { try platform.record($0, in: db) }
        } find: { platform, key, db in
            try Int(key).flatMap { try Account.find($0, in: db) }.map { try platform.record($0, in: db) }
        } act: { platform, action, key, _, turn in
            try platform.perform(action, onAccount: key, in: turn)
        },
        RecordKind(.device) { platform, limit, db in
            try db.all(Instance.self).suffix(limit).map { try platform.record($0, in: db) }
        } find: { platform, key, db in
            try Instance.find(key, in: db).map { try platform.record($0, in: db) }
        } act: { platform, action, key, _, turn in
            try platform.perform(action, onDevice: key, in: turn)
        },
        RecordKind(.session) { platform, limit, db in
            try DeviceSession.newest(limit, in: db).map { try platform.record($0, in: db) }
        } find: { platform, key, db in
            try DeviceSession.find(key, in: db).map { try platform.record($0, in: db) }
        } act: { platform, action, key, _, turn in
            try platform.perform(action, onSession: key, in: turn)
        },
        RecordKind(.enrolment) { platform, limit, db in
            try db.all(Code.self, where: "kind = \(Code.Kind.enrol.rawValue)").suffix(limit)
                .map { try platform.record($0, in: db) }
        } find: { platform, key, db in
            try Code.find(key, in: db).flatMap { $0.kind == .enrol ? $0 : nil }
                .map { try platform.record($0, in: db) }
        } act: { _, _, key, _, _ in
            throw RecordRefusal.unknown(Holding.enrolment.id(key))
        },
    ]

    package func reading<Value: Sendable>(_ body: (Connection) throws -> Value) throws -> Value {
        try look { db, _ in try body(db) }
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

    private func record(_ code: Code, in db: Connection) throws -> ConsoleRecord {
        code.record(serverName: try name(code.server, in: db), at: services.clock.now())
    }
}

extension RecordKind<NextAuth> {
    /// Of the records whose ids begin with the word of the holding; the rest of an id is the key.
    fileprivate init(
        _ holding: Holding, newest: @escaping @Sendable (NextAuth, Int, Connection) throws -> [ConsoleRecord],
        find: @escaping @Sendable (NextAuth, _ key: String, Connection) throws -> ConsoleRecord?,
        act:
            @escaping @Sendable (NextAuth, RecordAction, _ key: String, [String: String], Turn) throws -> Void
    ) {
        self.init(holding.rawValue, newest: newest) { platform, id, db in
            guard let (kind, key) = Holding.parse(id), kind == holding else { return nil }
            return try find(platform, key, db)
        } act: { platform, action, id, inputs in
            guard let (_, key) = Holding.parse(id), let action = RecordAction(rawValue: action) else {
                throw RecordRefusal.unknown(id)
            }
            try platform.change { try act(platform, action, key, inputs, $0) }
        }
    }
}
