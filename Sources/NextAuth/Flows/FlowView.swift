import Essentials
import HTTP
import PlatformKit
import SQLite

/// A flow as the device sees it.
struct FlowView {
    let flow: Flow
    let server: JSONValue
    /// Whom the user chooses from.
    let candidates: [Account]
    let webSession: WebSession?
    let message: PushMessage?
    let transaction: SignTransaction?
    /// What the enrolment code says.
    let code: Code?
    let factor: SecondFactor
    let tries: Int
    /// What came of it.
    let session: DeviceSession?
    let account: Account?

    var json: JSONValue {
        [
            "flowid": .string(flow.id), "type": .string(flow.type.rawValue),
            "state": .string(flow.state.rawValue), "interaction": interaction,
            "challenge": .string(flow.challenge), "expires": .integer(flow.expiresAt.unixSeconds),
            "server": server, "session": sessionView,
            "account": session == nil ? .null : account?.deviceView ?? .null, "error": error,
        ]
    }

    private var interaction: JSONValue {
        guard let step = flow.step else { return .null }
        var members: [String: JSONValue] = ["type": .string(step.rawValue)]
        members["announceinfo"] = message?.announceInfo ?? webSession?.announceInfo ?? .null
        members["sessioninfo"] = webSession?.sessionInfo ?? .null
        members["transaction"] = transaction?.deviceView ?? .null
        members["accounts"] = .array(candidates.map(\.deviceView))
        if flow.type == .enrol { members["name"] = code?.name.map(JSONValue.string) ?? .null }
        switch step {
        case .confirm, .confirmTransaction: break
        case .setSecondFactor: members["context"] = "FIRST_SET"
        case .verifySecondFactor:
            members["context"] = "VERIFY"
            members["allowed"] = JSONValue(factor.allowed(tries: tries))
            members["triesleft"] = .integer(factor.triesLeft(of: tries))
        }
        if let result = flow.result { members["result"] = .string(result.rawValue) }
        return .object(members)
    }

    private var sessionView: JSONValue {
        guard let session, let account else { return .null }
        return session.deviceView(of: account)
    }

    private var error: JSONValue { flow.failure?.wire.json ?? .null }
}

extension Flow.Failure {
    /// How the object says it; a step on such a flow is refused with a status of its own.
    var wire: DeviceRefusal.Wire {
        switch self {
        case .cancelled:
            DeviceRefusal.Wire(
                status: .conflict, code: rawValue, number: 46, message: "The user cancelled")
        case .expired: DeviceRefusal.flowExpired("", seconds: 0).wire
        case .secondFactorBlocked: DeviceRefusal.secondFactorBlocked.wire
        case .accountGone: DeviceRefusal.accountUnknown("").wire
        }
    }
}

extension Flows {
    /// The flow object: what every step answers.
    func view(of flow: Flow, _ instance: Instance, _ request: Request, in db: Connection) throws -> JSONValue
    {
        guard let server = try Server.find(flow.server, in: db) else {
            throw DeviceRefusal.serverUnknown(flow.server)
        }
        let message = try flow.message.flatMap { try PushMessage.find($0, of: instance.id, in: db) }
        return FlowView(
            flow: flow, server: try server.deviceView(for: request, visualHash: world.visualHash(of: server)),
            candidates: flow.type == .enrol ? [] : try candidates(for: flow, in: db),
            webSession: try flow.hsid.flatMap { try WebSession.find($0, of: server.id, in: db) },
            message: message,
            transaction: try flow.transaction.flatMap { try SignTransaction.find($0, in: db) },
            code: try flow.ticket.flatMap { try Code.find($0, in: db) },
            factor: try Instance.find(instance.id, in: db)?.factor ?? instance.factor,
            tries: try world.settings(in: db).tries,
            session: try flow.session.flatMap { try DeviceSession.find($0, in: db) },
            account: try flow.account.flatMap { try Account.find($0, in: db) }
        ).json
    }

    /// Whom the flow may be for: the chosen one, or those of the device for the server.
    func candidates(for flow: Flow, in db: Connection) throws -> [Account] {
        if let account = flow.account { return try Account.find(account, in: db).map { [$0] } ?? [] }
        return try Account.all(ofInstance: flow.instance, server: flow.server, in: db)
    }
}
