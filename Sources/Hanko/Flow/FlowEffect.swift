import PlatformKit

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
