import Essentials
import PlatformKit
import SQLite

// How flows go on.
extension Flows {
    /// The device's flow, which waits for input.
    func requireFlow(_ id: String, of instance: Instance, at turn: Turn) throws -> Flow {
        guard let flow = try Flow.find(id, of: instance.id, in: turn.db) else {
            throw DeviceRefusal.flowUnknown(id)
        }
        if flow.failure == .expired {
            throw DeviceRefusal.flowExpired(id, seconds: turn.now.seconds(since: flow.expiresAt))
        }
        guard flow.state == .waitForInput else {
            throw DeviceRefusal.stateWrong(
                "The flow is \(flow.state.rawValue)\(flow.failure.map { " (\($0.rawValue))" } ?? ""); nothing can be added."
            )
        }
        return flow
    }

    func require(_ step: Flow.Step, of flow: Flow) throws {
        guard flow.step != step else { return }
        if flow.type == .appLogin, step == .confirm {
            throw DeviceRefusal.stateWrong(
                "An AppLogin has nothing to confirm: send “secondfactor” where one is asked, else “complete”."
            )
        }
        throw DeviceRefusal.stateWrong(
            "The flow waits for \(flow.step?.rawValue ?? "“complete”"), and this step answers \(step.rawValue)."
        )
    }

    func question(
        _ flow: Flow, _ account: Account?, _ instance: Instance, _ server: Server, in db: Connection
    ) throws -> SecondFactorRule {
        SecondFactorRule(
            type: flow.type, isHeadless: flow.enrolment?.isHeadless ?? account?.isHeadless ?? false,
            factor: instance.factor, pinTimeout: server.pinTimeout, pinTransTimeout: server.pinTransTimeout,
            asksIfInactive: flow.config.alwaysRequireSecondFactorIfInactiveAppLogin ?? false,
            hasAppLogin: try DeviceSession.running(of: instance.id, in: db).contains(where: \.isAppLogin))
    }

    /// Asks for the second factor where it is due; goes on to the end where it is not.
    ///
    /// - Parameter isNew: the flow is not stored yet.
    func ask(
        _ flow: inout Flow, _ account: Account?, _ instance: Instance, _ server: Server, isNew: Bool = false,
        in turn: Turn
    ) throws -> Flow {
        let answer = try question(flow, account, instance, server, in: turn.db).answer(at: turn.now)
        flow.step = answer == .none ? nil : answer == .set ? .setSecondFactor : .verifySecondFactor
        let tries = try world.settings(in: turn.db).tries
        if answer == .verify, instance.factor.allowed(tries: tries).isEmpty {
            throw blocked(flow, instance, isNew: isNew, in: turn)
        }
        if isNew { try turn.insert(flow) } else { try turn.update(flow) }
        // Without a second factor an AppLogin still has to be signed.
        guard answer == .none, flow.isSigned else { return flow }
        return try finish(flow, instance, server, in: turn)
    }

    /// The refusal of a flow whose second factor is blocked, which ends it. Of a new one nobody has heard yet: it is not kept.
    private func blocked(_ flow: Flow, _ instance: Instance, isNew: Bool, in turn: Turn) -> DeviceRefusal {
        var ended = flow
        (ended.state, ended.failure) = (.error, .secondFactorBlocked)
        let refused = ended
        return turn.kept(.secondFactorBlocked) { turn in
            if isNew {
                try noteReading(by: refused, for: instance, in: turn)
                try noteScan(by: refused, in: turn)
            } else {
                try turn.update(refused)
            }
            try logins.giveUp(refused, in: turn)
        }
    }

    /// What the device signs in this flow.
    func signedText(_ flow: Flow, approves: Bool? = nil) -> SignedText {
        SignedText(
            id: flow.id, type: flow.type.rawValue, challenge: flow.challenge,
            subject: flow.enrolment?.publicKey ?? flow.account.map { String($0) } ?? "", approves: approves)
    }

    /// Why the account's signature is refused; nil when it is right.
    func refusal(
        of signature: String, on flow: Flow, by account: Account, approves: Bool? = nil, in db: Connection
    ) throws -> DeviceRefusal? {
        var text = signedText(flow, approves: approves)
        guard let refusal = try account.refusal(of: signature, text, in: db) else { return nil }
        if let last = flow.lastChallenge, let key = DeviceKey.publicKey(account.publicKey) {
            text.challenge = last
            if text.fault(of: signature, by: key) == nil { return .signatureWrong(.challengeOutdated) }
        }
        return refusal
    }
}
