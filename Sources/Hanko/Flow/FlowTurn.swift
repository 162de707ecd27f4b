import Essentials
import PlatformKit
import SQLite

/// One step of a flow, inside the one transaction that it is.
///
/// Actions, hooks and inputs get it and find here all there is: the flow and its stash, the configuration, the tables through
/// ``db``, and who calls. They wait for nothing and send nothing: mails, events of the journal and the session are
/// ``effects``, done after the transaction. A refusal is returned, so that what was counted stays; an error that is *thrown* rolls
/// everything back and is answered as `technical_error`.
///
/// How a step goes stands in `FlowTurn+Perform.swift`.
struct FlowTurn {
    let db: Connection
    let configuration: Configuration
    let entropy: Entropy
    let now: Date
    let caller: FlowCaller
    var flow: Flow
    /// Members of `payload` in the answer. Begins empty with every step; hooks and actions fill it.
    var payload: [String: JSONValue] = [:]
    /// An error that the flow goes on with: the next state is shown with it and its status.
    var mishap: FlowRefusal?
    private(set) var effects: [FlowEffect] = []

    init(
        _ flow: Flow, db: Connection, configuration: Configuration, entropy: Entropy, now: Date,
        caller: FlowCaller
    ) {
        self.flow = flow
        self.db = db
        self.configuration = configuration
        self.entropy = entropy
        self.now = now
        self.caller = caller
    }

    mutating func add(_ effect: FlowEffect) { effects.append(effect) }

    /// Writes an event to the journal: what happened in a few words, and a whole sentence that says why.
    mutating func note(_ event: String, about subject: String? = nil, _ explanation: String) {
        effects.append(.note(event, about: subject ?? self.subject, explanation))
    }

    /// Whom the flow is about, as far as it is known.
    var subject: String? {
        flow.stash.email ?? flow.stash.username ?? flow.stash.userID ?? caller.session?.userID
    }
}
