import Essentials
import PlatformKit
import SQLite

/// One step of a flow, inside the one transaction that it is.
///
/// Actions, hooks and inputs get it and find here all there is: the flow and its stash, the configuration, the tables through
/// ``db``, and who calls. They wait for nothing and send nothing: mails, events of the journal and the session are
/// ``effects``, done after the transaction. A refusal that is shown with a state is returned, since the flow goes on with it; an error that is
/// *thrown* takes everything back and is answered as `technical_error`.
///
/// How a step goes stands in `FlowStep+Perform.swift`.
struct FlowStep {
    let turn: Turn
    let configuration: Configuration
    let entropy: Entropy
    let caller: FlowCaller
    var flow: Flow
    /// Members of `payload` in the answer. Begins empty with every step; hooks and actions fill it.
    var payload: [String: JSONValue] = [:]
    /// An error that the flow goes on with: the next state is shown with it and its status.
    var mishap: FlowRefusal?
    private(set) var effects: [FlowEffect] = []

    /// Calls that were counted, which also a step counts that comes to nothing.
    var countedCalls: [(key: String, rule: RateLimit.Rule)] = []

    init(
        _ flow: Flow, in turn: Turn, configuration: Configuration, entropy: Entropy, caller: FlowCaller
    ) {
        (self.flow, self.turn) = (flow, turn)
        (self.configuration, self.entropy, self.caller) = (configuration, entropy, caller)
    }

    var db: Connection { turn.db }
    var now: Date { turn.now }

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

extension FlowStep {
    /// Takes a token from the bucket `key`; the seconds to wait where there was none, nil where there was one.
    mutating func wait(for key: String, under rule: RateLimit.Rule?) throws -> Int? {
        guard let rule else { return nil }
        countedCalls.append((key, rule))
        let standing = try db.takeToken(from: key, under: rule, at: now)
        return standing.isGranted ? nil : standing.resetSeconds
    }

    /// `rate_limit_exceeded`, with the seconds to wait in the payload.
    ///
    /// - Parameters:
    ///   - member: of the payload, `resend_after` or `retry_after`.
    ///   - calls: what was counted, in words.
    mutating func limited(_ member: String, _ seconds: Int, _ calls: String, _ rule: RateLimit.Rule?)
        -> FlowRefusal
    {
        payload[member] = .integer(seconds)
        return FlowRefusal(
            .rateLimitExceeded,
            "More than \(rule?.tokens ?? 0) \(calls). The bucket is full again in \(seconds) s of the world's clock, "
                + "which can be moved; rate_limiter.enabled: false in the fixtures switches limits off.")
    }
}
