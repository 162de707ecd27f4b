import Essentials
import HTTP
import PlatformKit
import SQLite

/// Tells others what a turn does: the audit log, the webhooks, people by mail. All of it is committed with the turn and leaves after
/// it, and is gone with a turn that is taken back.
struct Announcer: Sendable {
    let world: World
    let configuration: Configuration
    /// Whose doing it is.
    let request: Request

    /// Writes an entry of the audit log.
    ///
    /// - Parameters:
    ///   - address: of whom it is about; the primary one of the user when left out.
    ///   - error: what went wrong, for the types that say so.
    ///   - details: such as `flow_id`, `login_method`.
    func audit(
        _ type: AuditType, userID: String? = nil, address: String? = nil, error: String? = nil,
        details: [String: String] = [:], in turn: Turn
    ) throws {
        let rules = configuration.auditLog
        guard rules.isStored || rules.isTold else { return }
        let primary = try userID.flatMap { try address == nil ? turn.db.primaryEmail(of: $0)?.address : nil }
        let entry = AuditEntry(
            // An entry that is only told is nowhere asked for by its id.
            id: rules.isStored ? world.services.entropy.uuid(for: "hanko.audit") : "", type: type,
            error: error, requestID: request.id, sourceAddress: configuration.address(of: request),
            userAgent: request.headers["User-Agent"] ?? "", userID: userID, address: address ?? primary,
            details: details, createdAt: turn.now)
        if rules.isStored { try turn.insert(entry) }
        if rules.isTold { turn.note("audit log", about: entry.address ?? entry.userID, entry.sentence) }
    }

    /// Runs `body`; what it refuses is written to the audit log, which the refusal leaves behind. Calls beyond a rate limit are not.
    ///
    /// - Parameters:
    ///   - failure: the type of the entry.
    ///   - userID: whose doing it is, if there is such a user.
    func auditing<Value>(
        _ failure: AuditType, userID: String? = nil, in turn: Turn, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let refusal as HankoRefusal where !refusal.isRateLimit {
            throw turn.kept(refusal) {
                try audit(
                    failure, userID: refusal.isOfUnknownUser ? nil : userID, error: refusal.auditNote, in: $0)
            }
        }
    }

    /// Calls the webhooks that asked for `event`, with the user as the admin API shows one after what the turn did so far. Of a user
    /// who is gone nobody can tell any more: give ``announce(_:of:in:)`` the account from before.
    func announce(_ event: WebhookEvent, userID: String, in turn: Turn) throws {
        let receivers = try receivers(of: event, in: turn)
        guard !receivers.isEmpty, let account = try turn.db.account(userID) else { return }
        try call(receivers, event, AdminUser(account, request), in: turn)
    }

    /// Calls the webhooks that asked for `event`, with the user as the admin API showed one before.
    func announce(_ event: WebhookEvent, of account: Account, in turn: Turn) throws {
        let receivers = try receivers(of: event, in: turn)
        guard !receivers.isEmpty else { return }
        try call(receivers, event, AdminUser(account, request), in: turn)
    }

    /// Calls the webhooks that asked for `event`, with the session; under the profile `next` alone.
    func announce(_ event: WebhookEvent, _ session: Session, in turn: Turn) throws {
        guard configuration.own.generation == .next else { return }
        let receivers = try receivers(of: event, in: turn)
        guard !receivers.isEmpty else { return }
        try call(receivers, event, AdminSession(session), in: turn)
    }

    /// The same of a session that was opened, and of those that had to make room for it.
    func announce(_ event: WebhookEvent, opening opened: OpenedSession, in turn: Turn) throws {
        for old in opened.dropped { try announce(.sessionDeletePassiveLimit, old, in: turn) }
        try announce(event, opened.session, in: turn)
    }

    /// Mails what `mail` says, and tells it to the webhooks for `email.send`. Where `email_delivery.enabled` is false no mail
    /// leaves: the webhook's receiver is the one to send it, and the journal tells what it says.
    func send(_ mail: OutgoingMail, in turn: Turn) throws {
        let receivers = try receivers(of: .emailSend, in: turn)
        if configuration.deliversMail {
            var message = mail.message
            message.from = configuration.sender
            try turn.send(message)
        } else {
            Self.note(mail, isHeard: !receivers.isEmpty, in: turn)
        }
        guard !receivers.isEmpty else { return }
        let announcement = MailAnnouncement(mail, request, isDelivered: configuration.deliversMail)
        try call(receivers, .emailSend, announcement, in: turn)
    }

    private static func note(_ mail: OutgoingMail, isHeard: Bool, in turn: Turn) {
        let code = mail.message.code.map { " Its code is \($0)." } ?? ""
        turn.note(
            "mail not delivered", about: mail.message.to.address,
            "The mail “\(mail.message.subject)” to \(mail.message.to.address) was not sent, since "
                + "email_delivery.enabled is false. "
                + (isHeard
                    ? "The webhook email.send carries it."
                    : "No webhook subscribes to email.send, so nobody received it.")
                + code)
    }
}

extension AuditEntry {
    fileprivate var sentence: String {
        let actor = userID.map { " of the user \($0)" } ?? ""
        let mail = address.map { " (\($0))" } ?? ""
        let facts = details.sorted { $0.key < $1.key }.map { ", \($0.key) \($0.value)" }.joined()
        return "Recorded \(type.rawValue)\(actor)\(mail)\(facts)"
            + (error.map { ". Error: \($0.hasSuffix(".") ? String($0.dropLast()) : $0)" } ?? "") + "."
    }
}
