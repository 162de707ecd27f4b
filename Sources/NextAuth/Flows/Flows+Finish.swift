import Crypto
import Essentials
import PlatformKit
import SQLite

// How flows end.
extension Flows {
    /// Everything is proven: the flow does what it is for.
    func finish(_ flow: Flow, _ instance: Instance, _ server: Server, in turn: Turn) throws -> Flow {
        var flow = flow
        switch flow.type {
        case .enrol: try finishEnrolment(&flow, server, in: turn)
        case .login, .appLogin: try finishLogin(&flow, server, in: turn)
        case .transaction:
            _ = try usableAccount(of: flow, in: turn.db)
            try decide(flow, .approved, in: turn)
        }
        flow.state = .done
        if flow.result != .success { flow.step = nil }
        try turn.update(flow)
        try spend(flow, in: turn)
        return flow
    }

    private func spend(_ flow: Flow, in turn: Turn) throws {
        if let ticket = flow.ticket { try Code.spend(ticket, at: turn.now, in: turn.db) }
        if let id = flow.message, var message = try PushMessage.find(id, of: flow.instance, in: turn.db) {
            message.usedAt = turn.now
            try turn.update(message)
        }
    }

    private func finishEnrolment(_ flow: inout Flow, _ server: Server, in turn: Turn) throws {
        guard let enrolment = flow.enrolment, let code = try Code.find(flow.ticket ?? "", in: turn.db) else {
            throw DeviceRefusal.codeUnknown
        }
        if let refusal = code.refusal(at: turn.now) { throw refusal }
        try requirePlace(for: flow, in: turn.db)
        if let user = code.user {
            try User.findOrMake(user, of: server.id, at: turn.now, in: turn.db)
        }
        let account = Account(
            id: try Account.nextID(in: turn.db), server: server.id, instance: flow.instance, user: code.user,
            publicKey: enrolment.publicKey, name: code.name ?? enrolment.description,
            description: enrolment.description, userInput: enrolment.userInput,
            isHeadless: enrolment.isHeadless, createdAt: turn.now)
        try turn.insert(account)
        if var instance = try Instance.find(flow.instance, in: turn.db) {
            instance.factor.enrolledAt = turn.now
            try turn.update(instance)
        }
        flow.account = account.id
        turn.note(
            "account enrolled", about: account.user ?? account.name,
            "The account \(account.id) (\(account.name)) was made on the device \(enrolment.description)"
                + (account.user.map { " for the user \($0)." }
                    ?? "; no user has it yet: registeruser names one."))
        try begin(session(of: flow, flow.hsid ?? "", server, at: turn), &flow, account, in: turn)
    }

    private func finishLogin(_ flow: inout Flow, _ server: Server, in turn: Turn) throws {
        let account = try usableAccount(of: flow, in: turn.db)
        guard flow.type == .appLogin else {
            return try begin(session(of: flow, flow.hsid ?? "", server, at: turn), &flow, account, in: turn)
        }
        for earlier in try DeviceSession.running(of: flow.instance, in: turn.db) where earlier.isAppLogin {
            try logins.end(earlier, .replaced, in: turn)
        }
        let (nonce, hsid) = try freshNonce(on: server, in: turn.db)
        var login = try session(of: flow, hsid, server, at: turn)
        login.webNonce = nonce
        try begin(login, &flow, account, in: turn)
    }

    /// The chosen account, which may have been deleted or blocked since.
    private func usableAccount(of flow: Flow, in db: Connection) throws -> Account {
        guard let account = try flow.account.flatMap({ try Account.find($0, in: db) }) else {
            throw DeviceRefusal.accountUnknown(flow.account.map { String($0) } ?? "")
        }
        if account.isBlocked { throw DeviceRefusal.accountBlocked(account.id) }
        return account
    }

    /// 32 hexadecimal digits that name no session yet.
    private func freshNonce(on server: Server, in db: Connection) throws -> (nonce: String, hsid: String) {
        while true {
            let nonce = Hex.encode(world.services.entropy.bytes(16, "nextauth.webnonce"))
            let hsid = server.hashedSessionID(of: nonce)
            if try WebSession.find(hsid, of: server.id, in: db) == nil { return (nonce, hsid) }
        }
    }

    private func session(
        of flow: Flow, _ hsid: String, _ server: Server, at turn: Turn
    ) throws -> DeviceSession {
        DeviceSession(
            id: try world.services.entropy.freshToken(for: "session") {
                try DeviceSession.find($0, in: turn.db) != nil
            },
            instance: flow.instance, server: server.id,
            account: flow.account ?? 0, hsid: hsid, type: flow.type, pingTime: server.pingTime,
            inactivityTimeout: flow.config.inactivityTimeout,
            appLoginTimeout: flow.type == .appLogin ? flow.config.appLoginTimeout : nil, startedAt: turn.now,
            lastPingAt: turn.now)
    }

    private func begin(_ login: DeviceSession, _ flow: inout Flow, _ account: Account, in turn: Turn) throws {
        try logins.begin(login, account, in: turn)
        flow.session = login.id
        let what = login.isAppLogin ? "AppLogin began" : "logged in"
        let rest =
            login.pingTime == 0
            ? "It is one-shot: nothing keeps it alive, only a logout ends it."
            : "A ping is due every \(login.pingTime) s."
        turn.note(
            what, about: account.user ?? account.name,
            "The account \(account.id) (\(account.name)) logged in by \(flow.type.rawValue). \(rest)")
    }

    /// Stores what the user decided on the device.
    func decide(_ flow: Flow, _ status: SignTransaction.Status, in turn: Turn) throws {
        guard let transaction = try flow.transaction.flatMap({ try SignTransaction.find($0, in: turn.db) })
        else { throw DeviceRefusal.codeUnknown }
        guard transaction.status == .new else {
            throw DeviceRefusal.stateWrong("The transaction \(transaction.id) was decided meanwhile.")
        }
        try decide(transaction, status, by: "The device", in: turn)
    }

    /// - Parameter who: begins the journal's sentence.
    func decide(
        _ transaction: SignTransaction, _ status: SignTransaction.Status, by who: String, in turn: Turn
    ) throws {
        var transaction = transaction
        (transaction.status, transaction.decidedAt) = (status, turn.now)
        try turn.update(transaction)
        let word = status == .approved ? "approved" : "declined"
        turn.note(
            "transaction \(word)", about: transaction.id, "\(who) \(word) the transaction \(transaction.id).")
    }

    /// The user said no to a transaction: the flow is done, and the answer is no.
    func decline(_ flow: Flow, in turn: Turn) throws -> Flow {
        var flow = flow
        try decide(flow, .declined, in: turn)
        (flow.state, flow.step) = (.done, nil)
        try turn.update(flow)
        try spend(flow, in: turn)
        return flow
    }

    func cancel(_ flow: Flow, in turn: Turn) throws -> Flow {
        var flow = flow
        if flow.step == .verifySecondFactor || flow.step == .setSecondFactor { flow.result = .cancelled }
        (flow.state, flow.failure) = (.error, .cancelled)
        try turn.update(flow)
        try logins.giveUp(flow, in: turn)
        return flow
    }
}
