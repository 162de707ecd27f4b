import Essentials
import HTTP
import PlatformKit

extension FlowStep {
    /// Shows the first state of a flow that was just made.
    mutating func begin() throws -> FlowResponse {
        try runHooks()
        return try response()
    }

    /// Does what the client asked for, and shows where that led.
    ///
    /// - Parameter members: `input_data`.
    /// - Throws: the refusal when nothing is to be shown.
    mutating func perform(
        _ action: FlowAction, _ members: [String: JSONValue]
    ) throws -> FlowResponse {
        let before = flow
        let inputs = try action.inputs(self)
        let form = FlowForm(members, for: inputs)
        do {
            try form.check(by: inputs)
            let move = try action.run(&self, form)
            guard follow(move, from: before) else { return try fail(Self.dead(before.state)) }
        } catch let refusal as FlowRefusal where refusal.consequence == .flowEnds {
            return try fail(refusal)
        } catch let refusal as FlowRefusal where refusal.consequence == .stateStays {
            flow.stash = before.stash
            flow.stay()
            mishap = refusal
        }
        if flow.state == .error, mishap == nil { return try fail(Self.dead(before.state)) }
        // Hooks see whether an error is shown with the state.
        try runHooks()
        if flow.state == .error, mishap == nil { return try fail(Self.dead(before.state)) }
        flow.rotate(csrfToken: entropy.csrfToken())
        return try response(after: action, form)
    }

    /// - Returns: false when the way is a dead end.
    private mutating func follow(_ move: FlowMove, from before: Flow) -> Bool {
        switch move {
        case .proceed(let states, let isRevertible):
            flow.advance(
                to: states,
                leaving: Flow.Step(
                    state: before.state, schedule: before.schedule, stash: before.stash,
                    isRevertible: isRevertible))
        case .stay: flow.stay()
        case .back: return flow.goBack()
        }
        return true
    }

    private mutating func fail(_ refusal: FlowRefusal) throws -> FlowResponse {
        flow.fail()
        (payload, mishap) = ([:], refusal)
        flow.rotate(csrfToken: entropy.csrfToken())
        return try response()
    }

    private mutating func runHooks() throws {
        for hook in flow.state.hooks { try hook.run(&self) }
    }

    private static func dead(_ state: FlowState) -> FlowRefusal {
        .technical("Nothing was scheduled after \(state.rawValue), so the flow ends here.").endingFlow
    }

    /// The present state with everything that can be done in it.
    ///
    /// - Parameter action: the one that led here, whose inputs repeat what was submitted.
    private mutating func response(after action: FlowAction? = nil, _ form: FlowForm? = nil) throws
        -> FlowResponse
    {
        var offered: [FlowResponse.Action] = []
        var suspended: [String] = []
        for candidate in flow.state.actions {
            if let reason = try candidate.suspension(self) {
                suspended.append("\(candidate.name) (\(reason))")
                continue
            }
            let isRepeated = candidate.name == action?.name
            offered.append(
                FlowResponse.Action(
                    name: candidate.name, description: candidate.description,
                    inputs: try candidate.inputs(self),
                    submitted: isRepeated ? form : nil,
                    errors: isRepeated ? mishap?.inputs ?? [:] : [:])
            )
        }
        note(
            "flow at \(flow.state.rawValue)",
            "The \(flow.kind.rawValue) flow \(flow.id) is at \(flow.state.rawValue)"
                + (flow.previousState.map { ", before at \($0.rawValue)" } ?? "") + ". "
                + (offered.isEmpty
                    ? "Nothing is offered." : "Offered: \(offered.map(\.name).joined(separator: ", ")).")
                + (suspended.isEmpty ? "" : " Not offered: \(suspended.joined(separator: "; ")).")
                + (flow.scheduleText))
        return FlowResponse(
            flowID: flow.id, kind: flow.kind, state: flow.state, payload: payload, csrfToken: flow.csrfToken,
            actions: offered, error: mishap, cause: configuration.isDebug ? mishap?.explanation : nil)
    }
}

extension Flow {
    fileprivate var scheduleText: String {
        schedule.isEmpty ? "" : " Scheduled: \(schedule.map(\.rawValue).joined(separator: ", "))."
    }
}
