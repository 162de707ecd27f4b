import Essentials
import PlatformKit
import SQLite

/// Runs flows: each step is one turn.
struct FlowDesk: Sendable {
    let announcer: Announcer
    let caller: FlowCaller
    /// What the request says of its session; nil where the flow needs none.
    var presented: PresentedSession?

    private var world: World { announcer.world }

    /// What came of a step.
    struct Answer: Sendable {
        let response: FlowResponse
        /// The session that was opened.
        let opened: (session: OpenedSession, retention: FlowRetention)?
        /// `Set-Cookie` beside the session's.
        let cookies: [String]

        init(_ response: FlowResponse, _ step: FlowStep) {
            (self.response, opened, cookies) = (response, step.opened, step.cookies)
        }
    }

    func start(_ kind: FlowKind) throws -> Answer {
        try change { turn, session in
            let entropy = world.services.entropy
            let flow = Flow(
                id: entropy.uuid(for: "hanko.flow"), kind: kind, state: .preflight, schedule: kind.schedule,
                csrfToken: entropy.csrfToken(), at: turn.now)
            var step = step(flow, session, turn)
            let response = try step.begin()
            try turn.insert(step.flow)
            return Answer(response, step)
        }
    }

    /// - Throws: ``FlowRefusal`` where the flow stays as it was.
    func run(_ choice: FlowCall.Choice, of kind: FlowKind) throws -> Answer {
        try change { turn, session in
            guard let flow = try turn.first(Flow.self, where: "id = \(choice.flowID)"), flow.kind == kind
            else {
                throw FlowRefusal.operationNotPermitted(
                    "There is no \(kind.rawValue) flow \(choice.flowID): "
                        + (turn.worldElsewhere(of: choice.flowID).map {
                            "it is one of the world “\($0)”; compare the two base URLs."
                        } ?? "of another world, or forgotten long after its end.")
                )
            }
            var step = step(flow, session, turn)
            let action = try step.admitted(choice)
            do {
                let response = try step.perform(action, choice.members)
                try turn.update(step.flow)
                return Answer(response, step)
            } catch let refusal as FlowRefusal {
                throw turn.kept(refusal) { [limits = step.countedCalls] turn in
                    for limit in limits {
                        _ = try turn.db.takeToken(from: limit.key, under: limit.rule, at: turn.now)
                    }
                }
            }
        }
    }

    private func change<Value: Sendable>(_ body: (Turn, Session?) throws -> Value) throws -> Value {
        try world.change { turn in
            guard let presented else { return try body(turn, nil) }
            return try turn.accepting(presented, touching: true) { try body(turn, $0.session) }
        }
    }

    private func step(_ flow: Flow, _ session: Session?, _ turn: Turn) -> FlowStep {
        FlowStep(flow, of: caller, session: session, telling: announcer, in: turn)
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
            throw FlowRefusal.flowExpired(flow, seconds: now.seconds(since: flow.expiresAt))
        }
        guard choice.csrfToken == flow.csrfToken else {
            throw FlowRefusal.operationNotPermitted(
                choice.csrfToken.isEmpty
                    ? "The member “csrf_token” is missing: send the one of the last answer."
                    : "The csrf_token \(choice.csrfToken.prefix(40)) is not that of the last answer, which is \(flow.csrfToken); "
                        + "each answer brings a new one, also one with an error.")
        }
        guard let action = flow.state.actions.first(where: { $0.name == choice.action }) else {
            throw FlowRefusal.operationNotPermitted(
                "The state \(flow.state.rawValue) has no action “\(choice.action.prefix(60))”, only: "
                    + flow.state.actions.map(\.name).joined(separator: ", ") + ".")
        }
        if let reason = try action.suspension(self) {
            throw FlowRefusal.operationNotPermitted(
                "The action \(action.name) is not offered in \(flow.state.rawValue) now: \(reason).")
        }
        return action
    }
}
