import Essentials
import PlatformKit
import SQLite

/// How logins begin and end, whoever causes it: a device, a back end, time, the console.
struct Logins: Sendable {
    let world: World

    init(_ world: World) { self.world = world }

    private var announcements: Announcements { Announcements(world) }

    /// The web session of a nonce's hash, or a new one that is not stored yet.
    func webSession(_ hsid: String, of server: String, in turn: Turn) throws -> WebSession {
        try WebSession.find(hsid, of: server, in: turn.db)
            ?? WebSession(server: server, hsid: hsid, changedAt: turn.now)
    }

    /// The web session of a nonce, stored: what a code or a push that names it refers to.
    ///
    /// - Parameter context: replaces the kept one where it says something.
    func openWebSession(
        _ nonce: String, of server: Server, _ context: UserContext = UserContext(), in turn: Turn
    ) throws -> WebSession {
        var session = try webSession(server.hashedSessionID(of: nonce), of: server.id, in: turn)
        session.nonce = nonce
        session.sessionInfo = context.sessionInfo ?? session.sessionInfo
        session.announceInfo = context.announceInfo ?? session.announceInfo
        session.changedAt = turn.now
        try WebSession.save(session, in: turn.db)
        turn.issued(session.hsid)
        return session
    }

    /// The login code of the session is somewhere to be seen, for its first login or the next one.
    func noteCode(of session: WebSession, in turn: Turn) throws {
        guard session.codeShownAt == nil || session.state == .loggedOut else { return }
        var session = session
        session.codeShownAt = turn.now
        try WebSession.save(session, in: turn.db)
    }

    /// Whether a login can be pushed on the session.
    func canProvoke(_ session: WebSession, in db: Connection) throws -> Bool {
        let last = try session.lastAccount.flatMap { try Account.find($0, of: session.server, in: db) }
        return session.canProvoke(last)
    }

    /// A device has read the code or the push.
    func markPending(_ hsid: String, of server: String, _ kind: Signal.Kind, in turn: Turn) throws {
        var session = try webSession(hsid, of: server, in: turn)
        if session.state != .loggedIn { session.state = .pending }
        session.changedAt = turn.now
        try WebSession.save(session, in: turn.db)
        try announcements.signal(kind, hsid, of: server, in: turn)
    }

    /// A flow ended without a login: the session that waited for it does so no longer.
    func giveUp(_ flow: Flow, in turn: Turn) throws {
        guard let hsid = flow.hsid else { return }
        if var session = try WebSession.find(hsid, of: flow.server, in: turn.db), session.state == .pending {
            session.state = .loggedOut
            session.changedAt = turn.now
            try WebSession.save(session, in: turn.db)
        }
        try announcements.signal(.cancel, hsid, of: flow.server, in: turn)
    }

    /// Logs the session's account in, in the place of whoever was.
    func begin(_ login: DeviceSession, _ account: Account, in turn: Turn) throws {
        var session = try webSession(login.hsid, of: login.server, in: turn)
        if let earlier = try session.deviceSession.flatMap({ try DeviceSession.find($0, in: turn.db) }),
            earlier.endedAt == nil
        {
            try end(earlier, .replaced, in: turn)
        }
        try turn.insert(login)
        turn.ring(about: [DeviceEvent.topic(login.instance)])
        (session.state, session.account, session.lastAccount) = (.loggedIn, account.id, account.id)
        (session.deviceSession, session.changedAt) = (login.id, turn.now)
        session.nonce = login.webNonce ?? session.nonce
        try WebSession.save(session, in: turn.db)
        try noteLogin(of: account, in: turn)
        try announcements.signal(.login, login.hsid, of: login.server, in: turn)
    }

    private func noteLogin(of account: Account, in turn: Turn) throws {
        var account = account
        account.lastLoginAt = turn.now
        try turn.update(account, .lastLoginAt)
        guard let id = account.user, var user = try User.find(id, of: account.server, in: turn.db) else {
            return
        }
        user.lastLoginAt = turn.now
        try turn.update(user, .lastLoginAt)
    }

    /// Ends a login on the device and, where it stands there, on the web session.
    ///
    /// - Parameter isByDevice: it asked for the end, and is not told of it.
    func end(
        _ login: DeviceSession, _ ending: SessionEnding, isByDevice: Bool = false, in turn: Turn
    ) throws {
        var login = login
        (login.endedAt, login.ending) = (turn.now, ending)
        try turn.update(login, .endedAt, .ending)
        try logOut(login, in: turn)
        if login.isAppLogin, ending != .replaced,
            var instance = try Instance.find(login.instance, in: turn.db)
        {
            instance.factor.erase()
            try turn.update(instance)
        }
        let account = try Account.find(login.account, in: turn.db)
        if !isByDevice {
            try announcements.tell(
                login.instance, .sessionStop,
                ["sessionid": .string(login.id), "reason": .string(ending.rawValue)], in: turn)
        }
        let what = login.isAppLogin ? "The AppLogin" : "The session"
        turn.note(
            login.isAppLogin ? "AppLogin ended" : "session ended", about: account?.user ?? account?.name,
            "\(what) \(login.id) ended with \(ending.rawValue). "
                + login.explanation(of: ending, at: turn.now))
    }

    /// The browser's side of the end.
    private func logOut(_ login: DeviceSession, in turn: Turn) throws {
        guard var session = try WebSession.find(login.hsid, of: login.server, in: turn.db),
            session.deviceSession == login.id
        else { return }
        (session.state, session.account, session.deviceSession) = (.loggedOut, nil, nil)
        session.changedAt = turn.now
        try WebSession.save(session, in: turn.db)
        try announcements.signal(.logout, login.hsid, of: login.server, in: turn)
        if try canProvoke(session, in: turn.db) {
            try announcements.signal(.canProvoke, login.hsid, of: login.server, in: turn)
        }
    }

    /// What a back end asks for: ends the login of a web session.
    ///
    /// - Returns: false when nobody was logged in.
    @discardableResult
    func logOut(_ session: WebSession, in turn: Turn) throws -> Bool {
        guard let login = try session.deviceSession.flatMap({ try DeviceSession.find($0, in: turn.db) }),
            login.endedAt == nil
        else { return false }
        try end(login, .server, in: turn)
        if let account = try Account.find(login.account, in: turn.db) {
            try announcements.push(.logout, to: account, hsid: login.hsid, in: turn)
        }
        return true
    }
}

// MARK: - Logins that a back end or a browser asks a device for

extension Logins {
    /// Pushes a login to the account that was logged in last on the session.
    ///
    /// - Throws: ``BackEndRefusal/provocationImpossible(because:)``.
    func provoke(_ session: WebSession, in turn: Turn) throws {
        guard let id = session.lastAccount else {
            throw BackEndRefusal.provocationImpossible(
                because: "No user has logged in on this session yet, so there is no device to push to.")
        }
        guard let account = try Account.find(id, of: session.server, in: turn.db) else {
            throw BackEndRefusal.provocationImpossible(
                because: "The account \(id), which was last logged in on this session, no longer exists.")
        }
        guard session.state != .loggedIn else {
            throw BackEndRefusal.provocationImpossible(because: "The session is logged in already.")
        }
        try provoke(account, session, in: turn)
    }

    /// Pushes a login on the session to the account, whoever was logged in there.
    ///
    /// - Throws: ``BackEndRefusal/provocationImpossible(because:)``.
    func provoke(_ account: Account, _ session: WebSession, in turn: Turn) throws {
        guard !account.isBlocked else {
            throw BackEndRefusal.provocationImpossible(because: "The account \(account.id) is blocked.")
        }
        var account = account
        account.lastProvokedAt = turn.now
        try turn.update(account)
        try announcements.push(
            .login, to: account, hsid: session.hsid, announceInfo: session.announceInfo, in: turn)
        turn.note(
            "login pushed", about: account.user ?? account.name,
            "The device of the account \(account.id) (\(account.name)) is asked to log the session \(session.hsid) in."
        )
    }
}
