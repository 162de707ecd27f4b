/// Something a client can do in a state: `register_password`.
///
/// One action is one `static let` in a file of its own under `Actions/`; ``FlowState/actions`` says where it belongs.
///
/// ```swift
/// extension FlowAction {
///     /// `password_delete`: …
///     static let deletePassword = FlowAction(
///         "password_delete", "Delete a password.",
///         suspension: { turn in
///             turn.configuration.password.isOptional ? nil : "password.optional is false"
///         },
///         run: { turn, form in
///             …                             // reads and writes `turn.db`, `turn.flow.stash`; tells by `turn.note(…)`
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
    let inputs: @Sendable (FlowTurn) throws -> [FlowInput]
    /// Why the action is not offered now, as half a sentence without a full stop; nil when it is offered.
    let suspension: @Sendable (FlowTurn) throws -> String?
    /// Does it. The form kept the rules of ``inputs``.
    let run: @Sendable (inout FlowTurn, FlowForm) throws -> FlowOutcome

    init(
        _ name: String, _ description: String,
        inputs: @escaping @Sendable (FlowTurn) throws -> [FlowInput] = { _ in [] },
        suspension: @escaping @Sendable (FlowTurn) throws -> String? = { _ in nil },
        run: @escaping @Sendable (inout FlowTurn, FlowForm) throws -> FlowOutcome
    ) {
        self.name = name
        self.description = description
        self.inputs = inputs
        self.suspension = suspension
        self.run = run
    }
}

/// What came of an action.
enum FlowOutcome: Sendable {
    /// The states go in front of the schedule, and the first one scheduled becomes the present one.
    ///
    /// - isRevertible: whether `back` leads here again.
    case proceed([FlowState], isRevertible: Bool)
    /// The state is shown again; what the action wrote to the stash stays.
    case stay
    /// To the state before, with the schedule and the stash it had.
    case back
    /// The state is shown again with the error; what the action wrote to the stash is forgotten, what it wrote to tables stays.
    /// With a status from 500 on it is as ``fail(_:)``.
    case refuse(FlowRefusal)
    /// The state `error`, with this one.
    case fail(FlowRefusal)
    /// The flow stays as it was, its token too, and the client hears of the error alone; what the action wrote to tables stays.
    case giveUp(FlowRefusal)

    static func proceed(_ states: FlowState..., isRevertible: Bool = true) -> FlowOutcome {
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
