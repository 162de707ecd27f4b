import Essentials
import PlatformKit
import SQLite

/// What happens to accounts, whoever wants it.
struct Accounts: Sendable {
    let world: World

    init(_ world: World) { self.world = world }

    private var announcements: Announcements { Announcements(world) }
    private var logins: Logins { Logins(world) }

    /// Removes an account and everything that hangs on it; with the last one that needs a second factor go PIN and biometrics.
    ///
    /// - Parameter isByDevice: the device knows already.
    func remove(_ account: Account, isByDevice: Bool = false, in turn: Turn) throws {
        for login in try DeviceSession.running(ofAccount: account.id, in: turn.db) {
            try logins.end(login, .accountDeleted, in: turn)
        }
        if !isByDevice {
            try announcements.tell(
                account.instance, .accountDeleted, ["accountid": .integer(account.id)], in: turn)
            try announcements.push(.accountDeleted, to: account, in: turn)
        }
        try turn.delete(account)
        try eraseIfLast(account.instance, in: turn)
        turn.note(
            "account deleted", about: account.user ?? account.name,
            "The account \(account.id) (\(account.name)) was deleted \(isByDevice ? "by its device" : "by the server")."
        )
    }

    private func eraseIfLast(_ id: String, in turn: Turn) throws {
        guard var instance = try Instance.find(id, in: turn.db),
            try Account.all(ofInstance: id, in: turn.db).allSatisfy(\.isHeadless)
        else { return }
        instance.factor = SecondFactor()
        try turn.update(instance)
    }

    /// Blocks or unblocks an account; blocking ends its logins.
    func setBlocked(_ isBlocked: Bool, _ account: Account, in turn: Turn) throws -> Account {
        var account = account
        guard account.isBlocked != isBlocked else { return account }
        account.isBlocked = isBlocked
        try turn.update(account, .isBlocked)
        if isBlocked {
            for login in try DeviceSession.running(ofAccount: account.id, in: turn.db) {
                try logins.end(login, .accountBlocked, in: turn)
            }
        }
        try announcements.tellUpdate(of: account, in: turn)
        turn.note(
            isBlocked ? "account blocked" : "account unblocked", about: account.user ?? account.name,
            "The account \(account.id) (\(account.name)) is \(isBlocked ? "blocked: its logins ended" : "usable again")."
        )
        return account
    }

    /// Attaches an account to a user, who is made where there was none.
    ///
    /// - Throws: ``BackEndRefusal/userIDForbidden(_:)``.
    func attach(_ account: Account, to user: String, in turn: Turn) throws -> Account {
        guard User.isID(user) else { throw BackEndRefusal.userIDForbidden(user) }
        try User.findOrMake(user, of: account.server, at: turn.now, in: turn.db)
        var account = account
        account.user = user
        try turn.update(account)
        try announcements.tellUpdate(of: account, in: turn)
        turn.note(
            "account attached", about: user, "The account \(account.id) (\(account.name)) belongs to \(user)."
        )
        return account
    }

    /// Removes a user with all accounts, and what the user's role was granted where nobody else is left who could act as it.
    func remove(_ user: User, in turn: Turn) throws {
        for account in try Account.all(of: user.server, user: user.id, in: turn.db) {
            try remove(account, in: turn)
        }
        try turn.delete(user)
        if let role = user.role, try !APIKey.knows(role, in: turn.db) {
            for grant in try Grant.all(of: role, in: turn.db) {
                try Grant(role: role, server: grant.server, permissions: []).replace(in: turn.db)
            }
        }
        turn.note("user deleted", about: user.id, "The user \(user.id) was deleted with all accounts.")
    }

    /// Makes a code for an enrolment on a session, which is opened for it.
    func makeEnrolmentCode(
        _ name: String, user: String?, _ nonce: String, of server: Server, in turn: Turn
    ) throws -> Code {
        if let user, !User.isID(user) { throw BackEndRefusal.userIDForbidden(user) }
        let session = try logins.openWebSession(nonce, of: server, in: turn)
        let code = Code(
            ticket: try world.services.entropy.freshToken(for: "code") {
                try Code.find($0, in: turn.db) != nil
            },
            kind: .enrol, server: server.id, hsid: session.hsid,
            name: name, user: user, createdAt: turn.now,
            expiresAt: turn.now + (try world.settings(in: turn.db)).codeLife)
        try turn.insert(code)
        return code
    }

    /// Removes an installation and everything of it.
    func wipe(_ instance: Instance, in turn: Turn) throws {
        for account in try Account.all(ofInstance: instance.id, in: turn.db) {
            try remove(account, isByDevice: true, in: turn)
        }
        try turn.db.delete(Flow.self, where: "instance = \(instance.id)")
        try turn.db.delete(DeviceEvent.self, where: "instance = \(instance.id)")
        try turn.db.delete(PushMessage.self, where: "instance = \(instance.id)")
        try turn.delete(instance)
    }
}
