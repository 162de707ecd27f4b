import Essentials
import PlatformKit
import SQLite

/// Logins by code and push, as the console and the control API show what waits for a decision on a device.
extension NextAuth {
    /// What names one of them: `code:` with server and hashed session id, `push:` with the message's id.
    enum WaitingLogin {
        case code(server: String, hsid: String)
        case push(String)

        init?(_ id: String) {
            let parts = id.split(separator: ":").map(String.init)
            switch (parts.first, parts.count) {
            case ("code", 3): self = .code(server: Server.standardID(parts[1]), hsid: parts[2])
            case ("push", 2): self = .push(parts[1])
            default: return nil
            }
        }
    }

    func waitingLogins(_ count: Int, at now: Date, in db: Connection) throws -> [Transaction] {
        try WebSession.shown(count, in: db).map { try shown($0, at: now, in: db) }
            + PushMessage.newestLogins(count, in: db).map { try shown($0, at: now, in: db) }
    }

    /// Those of ``waitingLogins(_:at:in:)`` that are open.
    func countWaitingLogins(at now: Date, in db: Connection) throws -> Int {
        let since = now - (try world.settings(in: db)).messageLife
        return try WebSession.countWaiting(since: since, in: db) + PushMessage.countWaiting(at: now, in: db)
    }

    private func shown(_ session: WebSession, at now: Date, in db: Connection) throws -> Transaction {
        let account = try (session.account ?? session.lastAccount).flatMap { try Account.find($0, in: db) }
        let startedAt = session.codeShownAt ?? session.changedAt
        // The code is good for ever. Nobody waits that long for it.
        let expiresAt = startedAt + (try world.settings(in: db)).messageLife
        let isOpen = (session.state == .new || session.state == .pending) && now < expiresAt
        let data = CodeData(kind: .login, base: "", server: session.server, hsid: session.hsid).text
        let steps =
            [Transaction.Step("NEW", at: startedAt)]
            + (session.state == .new
                ? [] : [Transaction.Step(session.state.rawValue, at: session.changedAt)])
        return Transaction(
            id: "code:\(Server.urlSafe(session.server)):\(session.hsid)", kind: "login",
            title: "Login by code", user: session.state == .loggedIn ? account?.user ?? account?.name : nil,
            state: session.state.rawValue, isOpen: isOpen, createdAt: startedAt, expiresAt: expiresAt,
            code: isOpen ? data : nil,
            facts: [
                ConsoleRecord.Fact(
                    "Server", try Server.find(session.server, in: db)?.name ?? session.server),
                ConsoleRecord.Fact("Session id on the wire", session.hsid),
            ],
            actions: isOpen ? try confirmations(of: session.server, in: db) + ["decline"] : [], steps: steps)
    }

    private func shown(_ message: PushMessage, at now: Date, in db: Connection) throws -> Transaction {
        let account = try Account.find(message.account, in: db)
        let isOpen = message.usedAt == nil && now < message.expiresAt
        let state =
            message.usedAt != nil
            ? "USED" : !isOpen ? "EXPIRED" : message.readAt == nil ? "NEW" : "READ"
        let steps = [("NEW", message.createdAt), ("READ", message.readAt), ("USED", message.usedAt)]
        return Transaction(
            id: "push:" + message.id, kind: "push", title: "Login by push",
            user: account?.user ?? account?.name, state: state, isOpen: isOpen, createdAt: message.createdAt,
            expiresAt: message.expiresAt,
            facts: [
                ConsoleRecord.Fact("Account id", String(message.account)),
                ConsoleRecord.Fact("Session id on the wire", message.hsid ?? ""),
            ],
            actions: isOpen ? (account?.isBlocked == false ? ["confirm"] : []) + ["decline"] : [],
            steps: steps.compactMap { state, at in at.map { Transaction.Step(state, at: $0) } })
    }

    /// Who can log in: the newest ten accounts of the server that are not blocked.
    private func confirmations(of server: String, in db: Connection) throws -> [String] {
        try Account.all(of: server, in: db).filter { !$0.isBlocked }.suffix(10).map { "confirm:\($0.id)" }
    }

    /// Decides a login in the place of a device and its second factor. The session stands on the device of the account, which has to ping
    /// for it where the server wants that.
    func decide(_ action: String, on login: WaitingLogin, _ id: String, in turn: Turn) throws {
        let parts = action.split(separator: ":", maxSplits: 1).map(String.init)
        let known = ["confirm", "decline"]
        guard let verb = parts.first, known.contains(verb) else {
            throw TransactionRefusal.actionUnknown(action, known: known)
        }
        let transaction: Transaction
        switch login {
        case .code(let server, let hsid):
            guard let session = try WebSession.find(hsid, of: server, in: turn.db),
                session.codeShownAt != nil
            else { throw TransactionRefusal.unknown(id) }
            transaction = try shown(session, at: turn.now, in: turn.db)
        case .push(let messageID):
            guard let message = try PushMessage.find(messageID, in: turn.db), message.kind == .login else {
                throw TransactionRefusal.unknown(id)
            }
            transaction = try shown(message, at: turn.now, in: turn.db)
        }
        guard transaction.isOpen else { throw TransactionRefusal.tooLate(action, state: transaction.state) }
        guard transaction.actions.contains(action) else {
            throw TransactionRefusal.actionUnknown(action, known: transaction.actions)
        }
        try verb == "confirm"
            ? confirm(login, account: parts.count > 1 ? Int(parts[1]) : nil, in: turn)
            : decline(login, in: turn)
    }

    private func confirm(_ login: WaitingLogin, account id: Int?, in turn: Turn) throws {
        let (server, hsid, accountID) = try subject(of: login, account: id, in: turn.db)
        guard let account = try Account.find(accountID, in: turn.db),
            let server = try Server.find(server, in: turn.db)
        else { throw TransactionRefusal.unknown(hsid) }
        let session = DeviceSession(
            id: try services.entropy.freshToken(for: "session") {
                try DeviceSession.find($0, in: turn.db) != nil
            },
            instance: account.instance, server: server.id, account: account.id, hsid: hsid, type: .login,
            pingTime: server.pingTime, startedAt: turn.now, lastPingAt: turn.now)
        try logins.begin(session, account, in: turn)
        try spend(login, in: turn)
        turn.note(
            "logged in", about: account.user ?? account.name,
            "The console logged the account \(account.id) (\(account.name)) in, instead of its device.")
    }

    private func decline(_ login: WaitingLogin, in turn: Turn) throws {
        let (server, hsid, _) = try subject(of: login, account: nil, in: turn.db)
        var session = try logins.webSession(hsid, of: server, in: turn)
        if session.state != .loggedIn { session.state = .loggedOut }
        session.changedAt = turn.now
        try WebSession.save(session, in: turn.db)
        try announcements.signal(.cancel, hsid, of: server, in: turn)
        try spend(login, in: turn)
        turn.note("login declined", about: hsid, "The console declined the login of the session \(hsid).")
    }

    /// Which session is to be logged in, and who by a push.
    private func subject(
        of login: WaitingLogin, account: Int?, in db: Connection
    ) throws -> (server: String, hsid: String, account: Int) {
        switch login {
        case .code(let server, let hsid): return (server, hsid, account ?? 0)
        case .push(let id):
            guard let message = try PushMessage.find(id, in: db), let hsid = message.hsid else {
                throw TransactionRefusal.unknown(id)
            }
            return (message.server, hsid, message.account)
        }
    }

    private func spend(_ login: WaitingLogin, in turn: Turn) throws {
        guard case .push(let id) = login, var message = try PushMessage.find(id, in: turn.db) else { return }
        (message.readAt, message.usedAt) = (message.readAt ?? turn.now, turn.now)
        try turn.update(message)
    }
}
