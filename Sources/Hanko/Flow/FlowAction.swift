/// Something a client can do in a state: `register_password`.
///
/// One action is one `static let` in a file of its own under `Actions/`; ``FlowState/actions`` says where it belongs.
///
/// ```swift
/// extension FlowAction {
///     /// `password_delete`: …
///     static let deletePassword = FlowAction(
///         "password_delete", "Delete a password.",
///         suspension: { step in
///             step.configuration.password.isOptional ? nil : "password.optional is false"
///         },
///         run: { step, form in
///             …                             // reads and writes `step.db`, `step.flow.stash`; tells by `step.note(…)`
///             return .proceed(.profileInit)
///         })
/// }
/// ```
struct FlowAction: Sendable {
    /// On the wire.
    let name: String
    /// Free text beside the name; clients ignore it.
    let description: String
    /// What the client may submit now.
    let inputs: @Sendable (FlowStep) throws -> [FlowInput]
    /// Why the action is not offered now, as half a sentence without a full stop; nil when it is offered.
    let suspension: @Sendable (FlowStep) throws -> String?
    /// Does it. The form kept the rules of ``inputs``.
    let run: @Sendable (inout FlowStep, FlowForm) throws -> FlowMove

    init(
        _ name: String, _ description: String,
        inputs: @escaping @Sendable (FlowStep) throws -> [FlowInput] = { _ in [] },
        suspension: @escaping @Sendable (FlowStep) throws -> String? = { _ in nil },
        run: @escaping @Sendable (inout FlowStep, FlowForm) throws -> FlowMove
    ) {
        self.name = name
        self.description = description
        self.inputs = inputs
        self.suspension = suspension
        self.run = run
    }
}

/// Where an action leads. One that leads nowhere throws a ``FlowRefusal``.
enum FlowMove: Sendable {
    /// The states go in front of the schedule, and the first one scheduled becomes the present one.
    ///
    /// - isRevertible: whether `back` leads here again.
    case proceed([FlowState], isRevertible: Bool)
    /// The state is shown again; what the action wrote to the stash stays.
    case stay
    /// To the state before, with the schedule and the stash it had.
    case back

    static func proceed(_ states: FlowState..., isRevertible: Bool = true) -> FlowMove {
        .proceed(states, isRevertible: isRevertible)
    }
}

extension FlowAction {
    /// `back`: to the state before.
    static let back = FlowAction(
        "back", "Go back to the previous state.",
        suspension: { $0.flow.canGoBack ? nil : "the step that led here cannot be taken back" },
        run: { _, _ in .back })
}

/// What happens each time before a state is shown: on reaching it, on `back`, and again with an error.
///
/// One hook is one `static let` in the file of its subject; ``FlowState/hooks`` says where it belongs. A hook that must not
/// repeat itself with an error looks at ``FlowStep/mishap``; one that cannot do its work sets it.
struct FlowHook: Sendable {
    let run: @Sendable (inout FlowStep) throws -> Void

    init(_ run: @escaping @Sendable (inout FlowStep) throws -> Void) { self.run = run }
}
