import Crypto
import Essentials
import PlatformKit
import SQLite

/// The exchanges of a device: how they begin, go on and end.
struct Flows: Sendable {
    let world: World

    init(_ world: World) { self.world = world }

    var announcements: Announcements { Announcements(world) }
    var logins: Logins { Logins(world) }

    func start(_ wish: FlowRequest, for instance: Instance, in turn: Turn) throws -> Flow {
        if let fault = wish.config?.fault { throw DeviceRefusal.malformed(fault) }
        switch wish.type {
        case .appLogin: return try startAppLogin(wish, for: instance, in: turn)
        case .enrol: return try startEnrolment(wish, for: instance, in: turn)
        case .login: return try startLogin(wish, for: instance, in: turn)
        case .transaction: return try startTransaction(wish, for: instance, in: turn)
        }
    }

    /// A flow that nothing has happened in.
    private func makeFlow(
        _ wish: FlowRequest, for instance: Instance, on server: Server, at turn: Turn
    ) throws -> Flow {
        let config = wish.config ?? FlowConfig()
        let seconds =
            try config.secondFactorUserInputTimeout.map(Double.init) ?? world.settings(in: turn.db).flowLife
        return Flow(
            id: try world.services.entropy.freshToken(for: "flow") { try Flow.exists($0, in: turn.db) },
            instance: instance.id, server: server.id,
            type: wish.type, message: wish.messageid, config: config,
            challenge: world.services.entropy.token(32, for: "challenge"), createdAt: turn.now,
            expiresAt: turn.now + seconds)
    }

    private func server(_ id: String, in db: Connection) throws -> Server {
        guard let server = try Server.find(Server.standardID(id), in: db) else {
            throw DeviceRefusal.serverUnknown(id)
        }
        return server
    }

    /// The code that the device has read, of the kind that the flow asks for.
    private func codeData(_ wish: FlowRequest, _ kind: CodeData.Kind) throws -> CodeData {
        guard let text = wish.data else {
            throw DeviceRefusal.malformed(
                "A flow of the type \(wish.type.rawValue) begins with “data”, the content of a code, or with a "
                    + "“messageid” where a push can begin it.")
        }
        let data = try CodeData(reading: text)
        guard data.kind == kind else {
            throw DeviceRefusal.malformed(
                "The code is of the type \(data.kind.rawValue), a flow \(wish.type.rawValue) begins with one of the type "
                    + "\(kind.rawValue).")
        }
        return data
    }

    /// The user has seen the push that began a login, also when it comes to nothing.
    func noteReading(by flow: Flow, for instance: Instance, in turn: Turn) throws {
        if let id = flow.message { _ = try read(id, .login, for: instance, in: turn) }
    }

    /// The user has scanned the code that began a login, also when it comes to nothing.
    func noteScan(by flow: Flow, in turn: Turn) throws {
        guard flow.type == .login, flow.message == nil, let hsid = flow.hsid else { return }
        try logins.markPending(hsid, of: flow.server, .confirmScan, in: turn)
        // `loginqrdata` of getSession shows a code without a word to the server.
        try logins.noteCode(of: logins.webSession(hsid, of: flow.server, in: turn), in: turn)
    }

    /// The push that begins the flow; reading it is told to the browser.
    private func read(
        _ id: String, _ kind: PushMessage.Kind, for instance: Instance, in turn: Turn
    ) throws -> PushMessage {
        guard var message = try PushMessage.find(id, of: instance.id, in: turn.db), message.kind == kind,
            turn.now < message.expiresAt, message.usedAt == nil
        else { throw DeviceRefusal.messageUnknown(id) }
        let isNew = message.readAt == nil
        message.readAt = message.readAt ?? turn.now
        try turn.update(message)
        if isNew, kind == .login, let hsid = message.hsid {
            try logins.markPending(hsid, of: message.server, .confirmProvoke, in: turn)
        }
        return message
    }
}

// MARK: - Enrolment

extension Flows {
    private func startEnrolment(_ wish: FlowRequest, for instance: Instance, in turn: Turn) throws -> Flow {
        let data = try codeData(wish, .enrol)
        let server = try server(data.server, in: turn.db)
        let code = try requireCode(data, .enrol, at: turn)
        var flow = try makeFlow(wish, for: instance, on: server, at: turn)
        try requirePlace(for: flow, in: turn.db)
        (flow.hsid, flow.ticket, flow.step) = (data.hsid, code.ticket, .confirm)
        try turn.insert(flow)
        try logins.markPending(data.hsid, of: server.id, .confirmScan, in: turn)
        return flow
    }

    func requireCode(_ data: CodeData, _ kind: Code.Kind, at turn: Turn) throws -> Code {
        guard let code = try Code.find(data.ticket ?? "", in: turn.db), code.kind == kind,
            code.hsid == data.hsid, code.server == data.server
        else { throw DeviceRefusal.codeUnknown }
        if let refusal = code.refusal(at: turn.now) { throw refusal }
        return code
    }

    /// With `singleAccount` there is none yet.
    func requirePlace(for flow: Flow, in db: Connection) throws {
        guard flow.config.singleAccount == true else { return }
        if try !Account.all(ofInstance: flow.instance, in: db).isEmpty {
            throw DeviceRefusal.singleAccountTaken
        }
    }
}

// MARK: - Logins

extension Flows {
    private func startLogin(_ wish: FlowRequest, for instance: Instance, in turn: Turn) throws -> Flow {
        var flow: Flow
        var server: Server
        if let id = wish.messageid {
            let message = try read(id, .login, for: instance, in: turn)
            server = try self.server(message.server, in: turn.db)
            flow = try makeFlow(wish, for: instance, on: server, at: turn)
            (flow.hsid, flow.account) = (message.hsid, message.account)
        } else {
            let data = try codeData(wish, .login)
            server = try self.server(data.server, in: turn.db)
            flow = try makeFlow(wish, for: instance, on: server, at: turn)
            flow.hsid = data.hsid
        }
        let candidates = try candidates(for: flow, in: turn.db)
        if let refusal = refusal(of: candidates, server) {
            let refused = flow
            throw turn.kept(refusal) { turn in
                try noteReading(by: refused, for: instance, in: turn)
                guard candidates.isEmpty, let hsid = refused.hsid else { return }
                try announcements.signal(.noAccounts, hsid, of: refused.server, in: turn)
            }
        }
        try noteScan(by: flow, in: turn)
        return try open(&flow, candidates, instance, server, in: turn)
    }

    private func refusal(of candidates: [Account], _ server: Server) -> DeviceRefusal? {
        guard let first = candidates.first else { return .accountsMissing(server: server.name) }
        return candidates.allSatisfy(\.isBlocked) ? .accountBlocked(first.id) : nil
    }

    /// With one account and a second factor ahead, the confirmation is left out unless the app wants it.
    private func open(
        _ flow: inout Flow, _ candidates: [Account], _ instance: Instance, _ server: Server,
        in turn: Turn
    ) throws -> Flow {
        flow.step = .confirm
        if candidates.count == 1, flow.config.autoSelectSingleAccount ?? true, let account = candidates.first,
            try question(flow, account, instance, server, in: turn.db).answer(at: turn.now) != .none
        {
            flow.account = account.id
            return try ask(&flow, account, instance, server, isNew: true, in: turn)
        }
        try turn.insert(flow)
        return flow
    }

    private func startAppLogin(_ wish: FlowRequest, for instance: Instance, in turn: Turn) throws -> Flow {
        let named = try wish.serverid.map { try self.server($0, in: turn.db) }
        let candidates = try Account.all(ofInstance: instance.id, in: turn.db).filter {
            named == nil || $0.server == named?.id
        }
        guard let account = candidates.first else {
            throw DeviceRefusal.accountsMissing(server: named?.name ?? "of any name")
        }
        guard candidates.count == 1 else { throw DeviceRefusal.severalAccounts(candidates.count) }
        let server = try self.server(account.server, in: turn.db)
        guard server.pingTime > 0 else {
            throw DeviceRefusal.continuousAuthenticationRequired(server: server.name)
        }
        if account.isBlocked { throw DeviceRefusal.accountBlocked(account.id) }
        var flow = try makeFlow(wish, for: instance, on: server, at: turn)
        flow.account = account.id
        return try ask(&flow, account, instance, server, isNew: true, in: turn)
    }
}

// MARK: - Transactions

extension Flows {
    private func startTransaction(_ wish: FlowRequest, for instance: Instance, in turn: Turn) throws -> Flow {
        let (id, code) = try transactionID(wish, for: instance, in: turn)
        guard let transaction = try SignTransaction.find(id, in: turn.db) else {
            throw DeviceRefusal.codeUnknown
        }
        let server = try self.server(transaction.server, in: turn.db)
        guard let account = try Account.find(transaction.account, in: turn.db),
            account.instance == instance.id
        else { throw DeviceRefusal.accountsMissing(server: server.name) }
        if account.isBlocked { throw DeviceRefusal.accountBlocked(account.id) }
        guard transaction.status == .new else {
            throw DeviceRefusal.stateWrong(
                "The transaction \(id) was \(transaction.status == .approved ? "approved" : "declined") already."
            )
        }
        var flow = try makeFlow(wish, for: instance, on: server, at: turn)
        (flow.account, flow.transaction, flow.ticket) = (account.id, id, code?.ticket)
        flow.step = .confirmTransaction
        try turn.insert(flow)
        return flow
    }

    private func transactionID(
        _ wish: FlowRequest, for instance: Instance, in turn: Turn
    ) throws -> (String, Code?) {
        if let id = wish.messageid {
            return (try read(id, .transaction, for: instance, in: turn).transaction ?? "", nil)
        }
        let code = try requireCode(codeData(wish, .sign), .sign, at: turn)
        return (code.transaction ?? "", code)
    }
}
