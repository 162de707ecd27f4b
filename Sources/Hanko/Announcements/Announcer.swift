import Essentials
import HTTP
import PlatformKit
import SQLite

/// Tells others what a request did: the audit log, the webhooks. Always after the transaction that did it.
extension Hanko {
    /// Writes an entry of the audit log.
    ///
    /// - Parameters:
    ///   - address: of whom it is about; the primary one of the user when left out.
    ///   - error: what went wrong, for the types that say so.
    ///   - details: such as `flow_id`, `login_method`.
    func audit(
        _ type: AuditType, _ request: Request, userID: String? = nil, address: String? = nil,
        error: String? = nil, details: [String: String] = [:]
    ) throws {
        let rules = try configuration().auditLog
        guard rules.isStored || rules.isTold else { return }
        let primary = try userID.flatMap { try address == nil ? primaryAddress(of: $0) : nil }
        let entry = AuditEntry(
            // An entry that is only told is nowhere asked for by its id.
            id: rules.isStored ? services.entropy.uuid(for: "hanko.audit") : "", type: type, error: error,
            requestID: request.id,
            sourceAddress: request.peer.address, userAgent: request.headers["User-Agent"] ?? "",
            userID: userID, address: address ?? primary, details: details, createdAt: services.clock.now())
        if rules.isStored { try world.change { try $0.insert(entry) } }
        if rules.isTold {
            services.journal.event("audit log", about: entry.address ?? entry.userID, entry.sentence)
        }
    }

    private func primaryAddress(of userID: String) throws -> String? {
        try database.read { try $0.primaryEmail(of: userID)?.address }
    }

    /// Calls the webhooks that asked for `event`, with the user as the admin API shows one. Of a user who was deleted nobody
    /// can tell any more: give ``announce(_:_:of:)`` the account from before.
    func announce(_ event: WebhookEvent, _ request: Request, userID: String) throws {
        let receivers = try receivers(of: event)
        guard !receivers.isEmpty else { return }
        guard let account = try account(userID) else {
            services.journal.event(
                "webhook not called", about: userID,
                "The webhook \(event.rawValue) was not called: the user \(userID) is gone already.")
            return
        }
        try call(receivers, event, AdminUser(account, request))
    }

    /// Calls the webhooks that asked for `event`, with the user as the admin API showed one before.
    func announce(_ event: WebhookEvent, _ request: Request, of account: Account) throws {
        let receivers = try receivers(of: event)
        guard !receivers.isEmpty else { return }
        try call(receivers, event, AdminUser(account, request))
    }

    /// Mails what `mail` says, and tells it to the webhooks for `email.send`. Where `email_delivery.enabled` is false no mail
    /// leaves: the webhook's receiver is the one to send it, and the journal tells what it says.
    func send(_ mail: OutgoingMail, _ request: Request) throws {
        let configuration = try configuration()
        let delivers = configuration.deliversMail
        var message = mail.message
        message.from = configuration.sender
        if delivers { try services.outbox.deliver(message) }
        let receivers = try receivers(of: .emailSend)
        if !delivers { note(mail, isHeard: !receivers.isEmpty) }
        guard !receivers.isEmpty else { return }
        try call(receivers, .emailSend, MailAnnouncement(mail, request, isDelivered: delivers))
    }

    private func note(_ mail: OutgoingMail, isHeard: Bool) {
        let code = mail.message.code.map { " Its code is \($0)." } ?? ""
        services.journal.event(
            "mail not delivered", about: mail.message.to.address,
            "The mail \"\(mail.message.subject)\" to \(mail.message.to.address) was not sent, since "
                + "email_delivery.enabled is false. "
                + (isHeard
                    ? "The webhook email.send carries it."
                    : "No webhook asked for email.send, so nobody has it.")
                + code)
    }
}

extension AuditEntry {
    fileprivate var sentence: String {
        let actor = userID.map { " of the user \($0)" } ?? ""
        let mail = address.map { " (\($0))" } ?? ""
        let facts = details.sorted { $0.key < $1.key }.map { ", \($0.key) \($0.value)" }.joined()
        return "Audit log: \(type.rawValue)\(actor)\(mail)\(facts)"
            + (error.map { ". Error: \($0.hasSuffix(".") ? String($0.dropLast()) : $0)" } ?? "") + "."
    }
}

extension Hanko {
    /// Runs `body`; what it refuses is written to the audit log before it goes on. Calls beyond a rate limit are not.
    ///
    /// - Parameters:
    ///   - failure: the type of the entry.
    ///   - userID: whose doing it is, if there is such a user.
    func auditing<Value>(
        _ failure: AuditType, _ request: Request, userID: String? = nil, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let refusal as HankoRefusal where !refusal.isRateLimit {
            try audit(
                failure, request, userID: refusal.isOfUnknownUser ? nil : userID, error: refusal.auditNote)
            throw refusal
        }
    }
}
