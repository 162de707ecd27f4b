import Essentials
import PlatformKit
import SQLite

/// A conversation with one client: where it stands, what comes next, what was before.
///
/// Pure: nothing here reads a clock or a table. ``FlowStep`` moves it, its table keeps it.
///
/// To add something to the flows:
/// - A state is a case of ``FlowState``; its line in `FlowState+Actions.swift` lists what can be done in it, its line in
///   `FlowState+Hooks.swift` what happens each time before it is shown.
/// - An action is a `static let` of ``FlowAction``, in a file under `Actions/`: name, description, inputs, the reason why it is
///   not offered now, and what it does. It gets the ``FlowStep`` as `inout` and returns a ``FlowMove``, proceed, stay or back, or throws a
///   ``FlowRefusal``. In a profile flow ``FlowStep/account()`` is the user of the session.
/// - A hook is a `static let` of ``FlowHook`` in the file of its subject. It fills ``FlowStep/payload``.
/// - What a flow has to remember is a member of ``FlowStash``, optional and typed.
/// - What a step tells others, it tells by its turn: ``FlowStep/note(_:about:_:)``, ``FlowStep/announce(_:userID:)``,
///   ``FlowStep/audit(_:_:_:)``, and mails by its ``Announcer``.
/// - A passcode is asked for by setting `stash.email` and `stash.passcodePurpose` and proceeding to `passcode_confirmation`; a
///   right code makes the address the user's and verified, and goes on with what is scheduled behind.
struct Flow: Traced, Equatable {
    /// Nothing else ends a flow that a client forgot. An expired one is told from one that never was for a day.
    static let table = Table("hanko_flow", limit: 10_000, keptSeconds: 86_400)

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

    enum CodingKeys: String, CodingKey {
        case id, kind, state, schedule, history, stash, passcode
        case previousState = "previous_state"
        case csrfToken = "csrf_token"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
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

extension Flow {
    var subjects: [Subject] { [Subject(.flow, id, kind.title)] }
}

/// What a flow is for. The raw value is its path.
enum FlowKind: String, Codable, Sendable, CaseIterable {
    case login, registration, profile
    case tokenExchange = "token_exchange"

    fileprivate var title: String {
        switch self {
        case .login, .tokenExchange: "Login"
        case .registration: "Registration"
        case .profile: "Visit to the profile"
        }
    }

    /// 24 hours; a token exchange lives for one.
    var lifespanSeconds: Double { self == .tokenExchange ? 3600 : 86_400 }
}
