import Essentials

/// A conversation with one client: where it stands, what comes next, what was before.
///
/// Pure: nothing here reads a clock or a table. ``FlowTurn`` moves it, ``FlowStore`` keeps it.
///
/// To add something to the flows:
/// - A state is a case of ``FlowState``; its line in `FlowState+Actions.swift` lists what can be done in it, its line in
///   `FlowState+Hooks.swift` what happens each time before it is shown.
/// - An action is a `static let` of ``FlowAction``, in a file under `Actions/`: name, description, inputs, the reason why it is
///   not offered now, and what it does. It gets the ``FlowTurn`` as `inout` and returns a ``FlowOutcome``: proceed, stay, back, refuse,
///   fail. In a profile flow ``FlowTurn/account()`` is the user of the session.
/// - A hook is a `static let` of ``FlowHook`` under `Hooks/`. It fills ``FlowTurn/payload``.
/// - What a flow has to remember is a member of ``FlowStash``, optional and typed.
/// - What a step does outside of its transaction is a ``FlowEffect``: ``FlowTurn/add(_:)``, and ``FlowTurn/note(_:about:_:)`` for
///   events of the journal.
/// - A passcode is asked for by setting `stash.email` and `stash.passcodePurpose` and proceeding to `passcode_confirmation`; a
///   right code makes the address the user's and verified, and goes on with what is scheduled behind.
struct Flow: Codable, Sendable, Equatable {
    /// Steps that are kept to go back to. Nobody goes back further by hand; without a limit a client could make a row grow.
    static let historyLimit = 32

    let id: String
    let kind: FlowKind
    private(set) var state: FlowState
    /// What follows when an action names nothing else, the next one first.
    private(set) var schedule: [FlowState]
    private(set) var history: [Step] = []
    /// The state before the last answer. An answer that stays makes a state its own predecessor.
    private(set) var previousState: FlowState?
    var stash = FlowStash()
    /// Survives refusals and `back`.
    var passcode: FlowPasscode?
    /// The one that the next action must bring.
    private(set) var csrfToken: String
    let createdAt: Date
    let expiresAt: Date

    /// What a state left behind when it was left.
    struct Step: Codable, Sendable, Equatable {
        let state: FlowState
        let schedule: [FlowState]
        let stash: FlowStash
        let isRevertible: Bool
    }

    init(id: String, kind: FlowKind, state: FlowState, schedule: [FlowState], csrfToken: String, at now: Date)
    {
        self.id = id
        self.kind = kind
        self.state = state
        self.schedule = schedule
        self.csrfToken = csrfToken
        createdAt = now
        expiresAt = now.addingTimeInterval(kind.lifespanSeconds)
    }

    var canGoBack: Bool { history.last?.isRevertible ?? false }

    func isExpired(at now: Date) -> Bool { now > expiresAt }

    /// Whether the state is scheduled, is the present one, or was left on the way here.
    func knows(_ state: FlowState) -> Bool {
        self.state == state || schedule.contains(state) || history.contains { $0.state == state }
    }

    /// Leaves the present state for the first of `states` and what was scheduled before.
    ///
    /// - Parameter step: how the state stood before the action that leaves it.
    mutating func advance(to states: [FlowState], leaving step: Step) {
        var states = states + schedule
        // Nothing scheduled is a slip of an action; there is no way on, and `error` says so.
        let next = states.isEmpty ? FlowState.error : states.removeFirst()
        (previousState, schedule) = (state, states)
        guard next != state else { return }
        history.append(step)
        if history.count > Self.historyLimit { history.removeFirst(history.count - Self.historyLimit) }
        state = next
    }

    /// Returns to the step before, as it was. False when there is none to return to.
    mutating func goBack() -> Bool {
        guard canGoBack, let step = history.popLast() else { return false }
        (previousState, state) = (state, step.state)
        (schedule, stash) = (step.schedule, step.stash)
        return true
    }

    /// The action changed nothing but, perhaps, the stash.
    mutating func stay() { previousState = state }

    /// Ends in the state `error`, from which nothing leads on.
    mutating func fail() {
        (previousState, state, schedule, history) = (state, .error, [], [])
    }

    mutating func rotate(csrfToken: String) { self.csrfToken = csrfToken }
}
