import Essentials
import HTTP
import JOSE
import PlatformKit
import SQLite

/// Calls of webhooks: one attempt each, made after the request.
extension Hanko {
    /// Whom to call.
    struct Receiver: Sendable {
        let callback: String
        /// Nil for a hook of the configuration, which nobody counts.
        let webhookID: String?
    }

    /// The hooks of the configuration and of the admin API that asked for `event` or for what its name begins with.
    func receivers(of event: WebhookEvent) throws -> [Receiver] {
        let rules = try configuration().webhooks
        let configured = rules.isEnabled ? rules.hooks : []
        let registered = try registered(for: event, expiring: rules.allowsTimeExpiration)
        for hook in registered.expired {
            services.journal.event(
                "webhook disabled", about: hook.callback,
                "The webhook \(hook.id) to \(hook.callback) ended at \(Timestamp.text(hook.expiresAt)), 30 days after its "
                    + "making or its last success (webhooks.allow_time_expiration), and is switched off.")
        }
        return configured.filter { $0.events.contains { event.isTold(to: $0) } }
            .map { Receiver(callback: $0.callback, webhookID: nil) }
            + registered.hooks.map { Receiver(callback: $0.callback, webhookID: $0.id) }
    }

    /// The registered hooks that want to hear of `event`.
    ///
    /// - Parameter expiring: whether hooks end when their time is over.
    /// - Returns: beside them those that were switched off just now, because their time is over.
    private func registered(
        for event: WebhookEvent, expiring: Bool
    ) throws -> (hooks: [Webhook], expired: [Webhook]) {
        let now = services.clock.now()
        let wanting = try database.read { try $0.all(Webhook.self) }.filter {
            $0.isEnabled && $0.wants(event)
        }
        guard expiring, wanting.contains(where: { $0.expiresAt < now }) else { return (wanting, []) }
        return try world.change { turn in
            let wanting = try turn.all(Webhook.self).filter { $0.isEnabled && $0.wants(event) }
            let expired = wanting.filter { $0.expiresAt < turn.now }.map { $0.switchedOff(at: turn.now) }
            for hook in expired { try turn.update(hook) }
            return (wanting.filter { $0.expiresAt >= turn.now }, expired)
        }
    }

    /// - Parameter data: what the token says under `data`.
    func call(_ receivers: [Receiver], _ event: WebhookEvent, _ data: some Encodable) throws {
        let claims = WebhookClaims(
            issuedAt: Int(services.clock.now().timeIntervalSince1970),
            audience: try configuration().audience, event: event,
            data: try .wire(data))
        let body = try HankoJSON.bytes(WebhookBody(token: sign(claims.json), event: event))
        for receiver in receivers { call(receiver, event, body) }
    }

    private func call(_ receiver: Receiver, _ event: WebhookEvent, _ body: [UInt8]) {
        var callback = Callback(
            url: receiver.callback, headers: ["Content-Type": "application/json"], body: body,
            purpose: "webhook \(event.rawValue)")
        callback.retry = RetryRule(attemptLimit: 1, timeout: 10)
        if let id = receiver.webhookID {
            callback.outcome = { attempt in try record(attempt, of: id) }
        }
        services.callbacks.send(callback)
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
