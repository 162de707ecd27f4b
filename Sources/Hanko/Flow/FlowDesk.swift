import Essentials
import PlatformKit
import SQLite

/// Runs flows: each step is one transaction. What it does to the outside comes back as effects, to be done afterwards.
struct FlowDesk: Sendable {
    let database: Database
    let configuration: Configuration
    let entropy: Entropy
    let now: Date
    let caller: FlowCaller

    /// What came of a step.
    struct Answer: Sendable {
        let response: FlowResponse
        /// What the journal says of an error in the response.
        let refusal: FlowRefusal?
        let effects: [FlowEffect]
    }

    func start(_ kind: FlowKind) throws -> Answer {
        let flow = Flow(
            id: entropy.uuid(for: "hanko.flow"), kind: kind, state: .preflight, schedule: kind.schedule,
            csrfToken: entropy.csrfToken(), at: now)
        return try database.write { db in
            var turn = turn(flow, db)
            let response = try turn.begin()
            try FlowStore.insert(turn.flow, at: now, into: db)
            return Answer(response: response, refusal: turn.mishap, effects: turn.effects)
        }
    }

    /// The failure is returned from the transaction and thrown after it: a throw inside would roll back what was counted.
    ///
    /// - Throws: ``FlowRefusal`` for what is wrong without a flow to show; it leaves the flow as it was.
    func run(_ step: FlowCall.Step, of kind: FlowKind) throws -> Answer {
        let outcome = try database.write { db -> Result<Answer, FlowRefusal> in
            guard let flow = try FlowStore.flow(step.flowID, in: db), flow.kind == kind else {
                throw FlowRefusal(
                    .operationNotPermitted,
                    "There is no \(kind.rawValue) flow \(step.flowID): of another world, or forgotten long after its end."
                )
            }
            var turn = turn(flow, db)
            let action = try turn.admitted(step)
            let shown = try turn.perform(action, step.members)
            try FlowStore.update(turn.flow, in: db)
            return shown.map { Answer(response: $0, refusal: turn.mishap, effects: turn.effects) }
        }
        return try outcome.get()
    }

    private func turn(_ flow: Flow, _ db: Connection) -> FlowTurn {
        FlowTurn(flow, db: db, configuration: configuration, entropy: entropy, now: now, caller: caller)
    }
}

extension FlowKind {
    /// What follows `preflight`.
    fileprivate var schedule: [FlowState] {
        switch self {
        case .login: [.loginInit]
        case .registration: [.registrationInit]
        case .profile: [.profileInit]
        case .tokenExchange: []
        }
    }
}

extension FlowTurn {
    /// The action that the client asks for, if it may: the flow is alive, the token is the newest, the action is offered.
    fileprivate func admitted(_ step: FlowCall.Step) throws -> FlowAction {
        if flow.isExpired(at: now) {
            throw FlowRefusal(
                .flowExpired,
                "The \(flow.kind.rawValue) flow \(flow.id) expired "
                    + "\(Int(now.timeIntervalSince(flow.expiresAt))) s ago; it lives for "
                    + "\(Int(flow.kind.lifespanSeconds)) s of the world's clock.")
        }
        guard step.csrfToken == flow.csrfToken else {
            throw FlowRefusal(
                .operationNotPermitted,
                step.csrfToken.isEmpty
                    ? "The member \"csrf_token\" is missing: send the one of the last answer."
                    : "The csrf_token \(step.csrfToken.prefix(40)) is not that of the last answer, which is \(flow.csrfToken); "
                        + "each answer brings a new one, also one with an error.")
        }
        guard let action = flow.state.actions.first(where: { $0.name == step.action }) else {
            throw FlowRefusal(
                .operationNotPermitted,
                "The state \(flow.state.rawValue) has no action \"\(step.action.prefix(60))\", only: "
                    + flow.state.actions.map(\.name).joined(separator: ", ") + ".")
        }
        if let reason = try action.suspension(self) {
            throw FlowRefusal(
                .operationNotPermitted,
                "The action \(action.name) is not offered in \(flow.state.rawValue) now: \(reason).")
        }
        return action
    }
}
