import Essentials
import HTTP
import PlatformKit
import SQLite

extension Hanko {
    fileprivate struct WebhookInput {
        let callback: String?
        let events: [String]?
        let isEnabled: Bool?

        init(_ request: Request) throws {
            let input = try request.members()
            callback = try input.optionalText("callback")
            events = try input.read("events", "an array of texts") { $0.strings }
            isEnabled = try input.optionalBoolean("enabled")
            let count = events?.count ?? 0
            guard count <= WebhookRules.eventLimit else {
                throw AdminRefusal.memberWrong(
                    "Expected at most \(WebhookRules.eventLimit) events, found \(count).")
            }
        }
    }

    private struct WebhookList: Encodable {
        let database: [WebhookOutput]
        let config: [WebhooksConfiguration.Hook]
    }

    /// `GET /webhooks`: those that were made here, and those of the configuration.
    ///
    /// - Request: nothing.
    /// - Response: `200 {"database": [webhook…], "config": [{"callback", "events"}…]}`.
    /// - Errors: none.
    /// - Source: Hanko 2.7, admin API.
    func adminListWebhooks(_ request: Request) throws -> Response {
        let hooks = try database.read { try $0.all(Webhook.self) }
        return try .hanko(
            WebhookList(database: hooks.map(WebhookOutput.init), config: configuration().webhooks.hooks))
    }

    /// `POST /webhooks`: calls `callback` from now on, for every event whose name begins with one of `events`.
    ///
    /// - Request: `{"callback": url, "events": [string, at least 1]}`.
    /// - Response: `201`, the ``WebhookOutput``.
    /// - Errors: 400; 409 when there are 100, a limit of ours.
    /// - Source: Hanko 2.7, admin API.
    func adminCreateWebhook(_ request: Request) throws -> Response {
        let input = try WebhookInput(request)
        var check = Validation()
        let (callback, events) = try check.hook(input, in: generation())
        try check.finish(isWrapped: true)
        let hook = try world.change { turn in
            let hook = Webhook(
                id: services.entropy.uuid(for: "hanko.webhook"), callback: callback, isEnabled: true,
                failures: 0, expiresAt: turn.now.adding(seconds: Webhook.lifetimeSeconds), events: events,
                createdAt: turn.now, updatedAt: turn.now)
            guard try turn.all(Webhook.self).count < WebhookRules.limit else {
                throw AdminRefusal.webhookLimitReached
            }
            try turn.insert(hook)
            return hook
        }
        return try .hanko(WebhookOutput(hook), status: .created)
    }

    /// `GET /webhooks/{id}`: one of those that were made here.
    ///
    /// - Request: nothing.
    /// - Response: `200`, the ``WebhookOutput``.
    /// - Errors: 400 when the id is no UUID; 404.
    /// - Source: Hanko 2.7, admin API.
    func adminShowWebhook(_ request: Request) throws -> Response {
        let id = try adminIDs(request, ["id": "id"])[0]
        return try .hanko(WebhookOutput(database.read { try Self.requireWebhook(id, in: $0) }))
    }

    /// `PUT /webhooks/{id}`: changes a hook, and switches it on again: its failures are forgotten, its 30 days begin anew.
    ///
    /// - Request: `{"callback", "events", "enabled": true}`; false counts as missing, as in the original.
    /// - Response: `200`, the ``WebhookOutput``.
    /// - Errors: 400; 404.
    /// - Source: Hanko 2.7, admin API. That failures and time begin anew is *assumed*.
    func adminChangeWebhook(_ request: Request) throws -> Response {
        let input = try WebhookInput(request)
        var check = Validation()
        let id = check.required("id", request.parameter("id"), .uuid)
        let (callback, events) = try check.hook(input, in: generation())
        if input.isEnabled != true { check.add(Violation(field: "enabled", rule: .required, value: "")) }
        try check.finish(isWrapped: true)
        let hook = try world.change { turn in
            var hook = try Self.requireWebhook(id, in: turn.db)
            (hook.callback, hook.events, hook.isEnabled) = (callback, events, true)
            (hook.failures, hook.updatedAt) = (0, turn.now)
            hook.expiresAt = turn.now.adding(seconds: Webhook.lifetimeSeconds)
            try turn.update(hook)
            return hook
        }
        return try .hanko(WebhookOutput(hook))
    }

    /// `DELETE /webhooks/{id}`: calls it no more.
    ///
    /// - Request: nothing.
    /// - Response: `204`.
    /// - Errors: 400 when the id is no UUID; 404.
    /// - Source: Hanko 2.7, admin API.
    func adminRemoveWebhook(_ request: Request) throws -> Response {
        let id = try adminIDs(request, ["id": "id"])[0]
        try world.change { turn in
            _ = try Self.requireWebhook(id, in: turn.db)
            try turn.db.delete(Webhook.self, where: "id = \(id)")
        }
        return .noContent
    }

    private static func requireWebhook(_ id: String, in db: Connection) throws -> Webhook {
        guard let hook = try db.first(Webhook.self, where: "id = \(id)") else {
            throw AdminRefusal.webhookUnknown(id)
        }
        return hook
    }
}

extension Validation {
    fileprivate mutating func hook(
        _ input: Hanko.WebhookInput, in generation: OwnRules.Generation
    ) -> (callback: String, events: [WebhookEvent]) {
        let callback = required("callback", input.callback, .url)
        guard let events = input.events else {
            add(Violation(field: "events", rule: .required, value: ""))
            return (callback, [])
        }
        if events.isEmpty { add(Violation(field: "events", rule: .atLeast(1), value: "")) }
        var known: [WebhookEvent] = []
        for name in events {
            guard let event = WebhookEvent(rawValue: name), !event.isOfNext || generation == .next else {
                add(Violation(field: "events", rule: .webhookEvent, value: name))
                continue
            }
            if !known.contains(event) { known.append(event) }
        }
        return (callback, known)
    }
}
