import Essentials
import HTTP
import JOSE
import PlatformKit
import SQLite

/// Calls of webhooks: one attempt each, made after the turn.
extension Announcer {
    /// Whom to call.
    struct Receiver: Sendable {
        let callback: String
        /// Nil for a hook of the configuration, which nobody counts.
        let webhookID: String?
    }

    /// The hooks of the configuration and of the admin API that asked for `event` or for what its name begins with.
    func receivers(of event: WebhookEvent, in turn: Turn) throws -> [Receiver] {
        let rules = configuration.webhooks
        let configured = rules.isEnabled ? rules.hooks : []
        return configured.filter { $0.events.contains { event.isTold(to: $0) } }
            .map { Receiver(callback: $0.callback, webhookID: nil) }
            + (try registered(for: event, expiring: rules.allowsTimeExpiration, in: turn))
            .map { Receiver(callback: $0.callback, webhookID: $0.id) }
    }

    /// The registered hooks that want to hear of `event`. Those whose time is over are switched off.
    ///
    /// - Parameter expiring: whether hooks end when their time is over.
    private func registered(for event: WebhookEvent, expiring: Bool, in turn: Turn) throws -> [Webhook] {
        let wanting = try turn.all(
            Webhook.self,
            where: """
                enabled AND EXISTS (
                    SELECT 1 FROM json_each(events) WHERE instr(\(event.rawValue), json_each.value) = 1)
                """)
        guard expiring else { return wanting }
        for hook in wanting where hook.expiresAt < turn.now {
            try turn.update(hook.switchedOff(at: turn.now))
            turn.note(
                "webhook disabled", about: hook.callback,
                "The webhook \(hook.id) to \(hook.callback) ended at \(Timestamp.text(hook.expiresAt)), 30 days after its "
                    + "making or its last success (webhooks.allow_time_expiration), and is switched off.")
        }
        return wanting.filter { $0.expiresAt >= turn.now }
    }

    /// - Parameter data: what the token says under `data`.
    func call(
        _ receivers: [Receiver], _ event: WebhookEvent, _ data: some Encodable, in turn: Turn
    ) throws {
        let claims = WebhookClaims(
            issuedAt: turn.now.unixSeconds, audience: configuration.audience, event: event,
            data: try .wire(data))
        for receiver in receivers { turn.call(callback(receiver, claims)) }
    }

    private func callback(_ receiver: Receiver, _ claims: WebhookClaims) -> Callback {
        var callback = Callback(
            url: receiver.callback, headers: ["Content-Type": "application/json"],
            purpose: "webhook \(claims.event.rawValue)")
        callback.retry = RetryRule(attemptLimit: 1, timeout: 10)
        // Not inside of the turn, see ``SessionTokens``.
        callback.prepare = { [world] callback in
            let tokens = SessionTokens(services: world.services)
            callback.body = try HankoJSON.bytes(
                WebhookBody(
                    token: tokens.sign(claims.json, SigningSubject(Vendor.name, "webhook")),
                    event: claims.event))
        }
        if let id = receiver.webhookID { callback.outcome = { try record($0, of: id) } }
        return callback
    }

    /// Any status from 400 on is a failure, and so is no answer.
    private func record(_ attempt: CallbackAttempt, of id: String) throws {
        let success = attempt.status.map { $0 < 400 } ?? false
        try world.change { turn in
            guard let before = try turn.first(Webhook.self, where: "id = \(id)") else { return }
            let after = before.noting(success: success, at: turn.now)
            try turn.update(after)
            guard before.isEnabled, !after.isEnabled else { return }
            turn.note(
                "webhook disabled", about: after.callback,
                "The webhook \(id) to \(after.callback) failed \(after.failures) times one after the other and is switched "
                    + "off; PUT /webhooks/\(id) with \"enabled\": true switches it on again.")
        }
    }
}
