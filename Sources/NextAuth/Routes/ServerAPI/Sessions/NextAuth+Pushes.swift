import Essentials
import HTTP
import PlatformKit

/// Logins that a back end or a browser asks a device for.
extension NextAuth {
    /// Pushes a login to the account that was logged in last on the session.
    ///
    /// - Throws: ``BackEndRefusal/provocationImpossible(because:)``.
    func provoke(_ session: WebSession, in turn: Turn) throws {
        guard let id = session.lastAccount else {
            throw BackEndRefusal.provocationImpossible(
                because: "Nobody has logged in on this session yet, so there is no device to push to.")
        }
        guard let account = try Account.find(id, of: session.server, in: turn.db) else {
            throw BackEndRefusal.provocationImpossible(
                because: "The account \(id), which was logged in last on this session, is gone.")
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
        try push(
            .login, to: account, hsid: session.hsid, announceInfo: session.announceInfo, in: turn)
        turn.note(
            "login pushed", about: account.user ?? account.name,
            "The device of the account \(account.id) (\(account.name)) is asked to log the session \(session.hsid) in."
        )
    }

    /// What the body says of the session; an empty body says nothing.
    func userContext(_ request: Request) throws -> UserContext {
        if request.body.isEmpty { return UserContext() }
        let context = try request.json(UserContext.self)
        for (name, part) in [("sessioninfo", context.sessionInfo), ("announceinfo", context.announceInfo)] {
            if let part, part.object == nil, !part.isNull {
                throw BackEndRefusal.inputInvalid("The member \"\(name)\" is no object.")
            }
        }
        return context
    }
}
