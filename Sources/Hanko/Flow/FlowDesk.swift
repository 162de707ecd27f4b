import Essentials
import PlatformKit
import SQLite

/// Runs flows: each step is one transaction. What it does to the outside comes back as effects, to be done afterwards.
struct FlowDesk: Sendable {
    let world: World
    let configuration: Configuration
    let caller: FlowCaller

    private var entropy: Entropy { world.services.entropy }

    /// What came of a step.
    struct Answer: Sendable {
        let response: FlowResponse
        /// Shown by the response too.
        let refusal: FlowRefusal?
        let effects: [FlowEffect]
    }

    func start(_ kind: FlowKind) throws -> Answer {
        try world.change { turn in
            let flow = Flow(
                id: entropy.uuid(for: "hanko.flow"), kind: kind, state: .preflight, schedule: kind.schedule,
                csrfToken: entropy.csrfToken(), at: turn.now)
            var step = step(flow, turn)
            let response = try step.begin()
            try turn.insert(step.flow)
            return Answer(response: response, refusal: step.mishap, effects: step.effects)
        }
    }

    /// - Throws: ``FlowRefusal`` where the flow stays as it was.
    func run(_ choice: FlowCall.Choice, of kind: FlowKind) throws -> Answer {
        try world.change { turn in
            guard let flow = try turn.first(Flow.self, where: "id = \(choice.flowID)"), flow.kind == kind
            else {
                throw FlowRefusal(
                    .operationNotPermitted,
                    "There is no \(kind.rawValue) flow \(choice.flowID): of another world, or forgotten long after its end."
                )
            }
            var step = step(flow, turn)
            let action = try step.admitted(choice)
            let response = try step.perform(action, choice.members)
            try turn.update(step.flow)
            return Answer(response: response, refusal: step.mishap, effects: step.effects)
        }
    }

    private func step(_ flow: Flow, _ turn: Turn) -> FlowStep {
        FlowStep(flow, in: turn, configuration: configuration, entropy: entropy, caller: caller)
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

extension FlowStep {
    /// The action that the client asks for, if it may: the flow is alive, the token is the newest, the action is offered.
    fileprivate func admitted(_ choice: FlowCall.Choice) throws -> FlowAction {
        if flow.isExpired(at: now) {
            throw FlowRefusal(
                .flowExpired,
                "The \(flow.kind.rawValue) flow \(flow.id) expired "
                    + "\(Int(now.timeIntervalSince(flow.expiresAt))) s ago; it lives for "
                    + "\(Int(flow.kind.lifespanSeconds)) s of the world's clock.")
        }
        guard choice.csrfToken == flow.csrfToken else {
            throw FlowRefusal(
                .operationNotPermitted,
                choice.csrfToken.isEmpty
                    ? "The member \"csrf_token\" is missing: send the one of the last answer."
                    : "The csrf_token \(choice.csrfToken.prefix(40)) is not that of the last answer, which is \(flow.csrfToken); "
                        + "each answer brings a new one, also one with an error.")
        }
        guard let action = flow.state.actions.first(where: { $0.name == choice.action }) else {
            throw FlowRefusal(
                .operationNotPermitted,
                "The state \(flow.state.rawValue) has no action \"\(choice.action.prefix(60))\", only: "
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

/// What a step of a flow does to the world outside of its transaction, once that is committed.
enum FlowEffect: Sendable {
    /// An event in the journal: what happened, whom it is about, and a sentence.
    case note(String, about: String?, String)
    case mail(OutgoingMail)
    /// Hands the session over to the client.
    case session(OpenedSession, FlowRetention)
    /// A `Set-Cookie` beside the session's.
    case cookie(String)
    /// An entry of the audit log; the id of the flow is added to the details.
    case audit(
        AuditType, userID: String?, address: String?, error: String? = nil, details: [String: String] = [:])
    /// Calls the webhooks that asked for the event.
    case webhook(WebhookEvent, userID: String)
    /// Calls the webhooks that asked for `user.delete`, with the account as it was before.
    case deletion(Account)
}

/// `X-Session-Retention`: whether the client keeps the session beyond its own.
enum FlowRetention: String, Sendable {
    case persistent, session
}
