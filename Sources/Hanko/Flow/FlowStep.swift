import Essentials
import PlatformKit
import SQLite

/// One step of a flow, inside the one transaction that it is.
///
/// Actions, hooks and inputs get it and find here all there is: the flow and its stash, the configuration, the tables through
/// ``db``, and who calls. They wait for nothing; mails, calls of webhooks and events of the journal leave with the turn. What becomes of the
/// flow when an action throws a ``FlowRefusal`` is its ``FlowRefusal/consequence``; any other error takes everything back and is answered as
/// `technical_error`.
///
/// How a step goes stands in `FlowStep+Perform.swift`.
struct FlowStep {
    let turn: Turn
    let announcer: Announcer
    let caller: FlowCaller
    /// The session that came along; a profile flow has one.
    let session: Session?
    var flow: Flow
    /// Members of `payload` in the answer. Begins empty with every step; hooks and actions fill it.
    var payload: [String: JSONValue] = [:]
    /// An error that the flow goes on with: the next state is shown with it and its status.
    var mishap: FlowRefusal?
    /// The session that was opened, for the client.
    var opened: (session: OpenedSession, retention: FlowRetention)?
    /// `Set-Cookie` beside the session's.
    var cookies: [String] = []
    /// Calls that were counted, which also a step counts that comes to nothing.
    private(set) var countedCalls: [CallLimit] = []

    init(_ flow: Flow, of caller: FlowCaller, session: Session?, telling announcer: Announcer, in turn: Turn)
    {
        (self.flow, self.caller, self.session) = (flow, caller, session)
        (self.announcer, self.turn) = (announcer, turn)
    }

    var db: Connection { turn.db }
    var now: Date { turn.now }
    var configuration: Configuration { announcer.configuration }
    var entropy: Entropy { announcer.world.services.entropy }

    /// Whom the flow is about, as far as it is known.
    var subject: String? {
        flow.stash.email ?? flow.stash.username ?? flow.stash.userID ?? session?.userID
    }
}

// What a step tells others.
extension FlowStep {
    /// Writes an event to the journal: what happened in a few words, and a whole sentence that says why.
    func note(_ event: String, about subject: String? = nil, _ explanation: String) {
        turn.note(event, about: subject ?? self.subject, explanation)
    }

    /// Writes an entry of the audit log; the id of the flow is added to the details.
    func audit(
        _ type: AuditType, userID: String?, address: String?, error: String? = nil,
        details: [String: String] = [:]
    ) throws {
        try announcer.audit(
            type, userID: userID, address: address, error: error,
            details: details.merging(["flow_id": flow.id]) { kept, _ in kept }, in: turn)
    }

    /// An entry of the audit log about the user, with a fact.
    func audit(_ type: AuditType, _ account: Account, _ details: [String: String] = [:]) throws {
        try audit(type, userID: account.id, address: account.primaryEmail?.address, details: details)
    }

    /// Calls the webhooks that asked for the event.
    func announce(_ event: WebhookEvent, userID: String) throws {
        try announcer.announce(event, userID: userID, in: turn)
    }
}

extension FlowStep {
    /// Counts a call.
    ///
    /// - Parameters:
    ///   - limit: nil where limits are off.
    ///   - member: of the payload, where the seconds to wait are said when there were too many.
    /// - Throws: ``FlowRefusal/rateLimitExceeded(_:seconds:)``.
    mutating func count(_ limit: CallLimit?, telling member: String = "retry_after") throws {
        guard let limit else { return }
        countedCalls.append(limit)
        let standing = try db.takeToken(from: limit.key, under: limit.rule, at: now)
        if standing.isGranted { return }
        payload[member] = .integer(standing.resetSeconds)
        throw FlowRefusal.rateLimitExceeded(limit, seconds: standing.resetSeconds)
    }
}

/// `X-Session-Retention`: whether the client keeps the session beyond its own.
enum FlowRetention: String, Sendable {
    case persistent, session
}
