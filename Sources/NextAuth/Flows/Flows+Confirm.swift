import Essentials
import HTTP
import PlatformKit
import SQLite

// The user's word, with a key that signs it.
extension Flows {
    /// - Parameter request: its body is read as the flow's type has it.
    func confirm(_ flow: Flow, by request: Request, _ instance: Instance, in turn: Turn) throws -> Flow {
        guard let server = try Server.find(flow.server, in: turn.db) else {
            throw DeviceRefusal.serverUnknown(flow.server)
        }
        try require(flow.type == .transaction ? .confirmTransaction : .confirm, of: flow)
        switch flow.type {
        case .enrol: return try confirmEnrolment(flow, request, instance, server, in: turn)
        case .login, .appLogin: return try confirmLogin(flow, request, instance, server, in: turn)
        case .transaction: return try confirmTransaction(flow, request, instance, server, in: turn)
        }
    }

    private func confirmEnrolment(
        _ flow: Flow, _ request: Request, _ instance: Instance, _ server: Server, in turn: Turn
    ) throws -> Flow {
        let input = try request.json(EnrolmentConfirmation.self)
        try Instance.requireShort([input.description, input.userinput])
        guard let key = DeviceKey.publicKey(input.publickey) else {
            throw DeviceRefusal.malformed("The “publickey” is not the SPKI of a key of P-256 in base64url.")
        }
        var flow = flow
        flow.enrolment = Flow.Enrolment(
            publicKey: input.publickey, description: input.description, isHeadless: input.headless ?? false,
            userInput: input.userinput)
        if let fault = signedText(flow).fault(of: input.signature, by: key) {
            throw DeviceRefusal.signatureWrong(fault)
        }
        if let refusal = try Code.find(flow.ticket ?? "", in: turn.db)?.refusal(at: turn.now) {
            throw refusal
        }
        flow.isSigned = true
        return try ask(&flow, nil, instance, server, in: turn)
    }

    private func confirmLogin(
        _ flow: Flow, _ request: Request, _ instance: Instance, _ server: Server, in turn: Turn
    ) throws -> Flow {
        let input = try request.json(LoginConfirmation.self)
        guard let account = try candidates(for: flow, in: turn.db).first(where: { $0.id == input.accountid })
        else { throw DeviceRefusal.accountUnknown(String(input.accountid)) }
        if account.isBlocked { throw DeviceRefusal.accountBlocked(account.id) }
        var flow = flow
        flow.account = account.id
        if let refusal = try refusal(of: input.signature, on: flow, by: account, in: turn.db) {
            throw refusal
        }
        flow.isSigned = true
        return try ask(&flow, account, instance, server, in: turn)
    }

    private func confirmTransaction(
        _ flow: Flow, _ request: Request, _ instance: Instance, _ server: Server, in turn: Turn
    ) throws -> Flow {
        let input = try request.json(TransactionConfirmation.self)
        let account = try instance.account(flow.account ?? 0, in: turn.db)
        world.services.journal.concern(account.user ?? account.name)
        if account.isBlocked { throw DeviceRefusal.accountBlocked(account.id) }
        if let refusal = try refusal(
            of: input.signature, on: flow, by: account, approves: input.approve, in: turn.db)
        {
            throw refusal
        }
        var flow = flow
        flow.isSigned = true
        guard input.approve else { return try decline(flow, in: turn) }
        return try ask(&flow, account, instance, server, in: turn)
    }
}

private struct LoginConfirmation: Decodable {
    let accountid: Int
    let userinput: String?
    let signature: String
}

private struct EnrolmentConfirmation: Decodable {
    let publickey: String
    let description: String
    let headless: Bool?
    let userinput: String?
    let signature: String
}

private struct TransactionConfirmation: Decodable {
    let approve: Bool
    let signature: String
}
