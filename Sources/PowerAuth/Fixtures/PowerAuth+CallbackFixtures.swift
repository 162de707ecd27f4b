import Essentials
import PlatformKit
import SQLite

/// Callbacks, integrations and the audit log.
extension PowerAuth {
    static func loadCallbacks(_ fixtures: PowerAuthFixtures, into db: Connection) throws {
        var ids: Set<String> = []
        for (index, callback) in (fixtures.callbacks ?? []).enumerated() {
            let path = ["callbacks", String(index)]
            try FixtureRules.requireUnique(callback.id, in: &ids, at: path + ["id"])
            try load(callback, at: path, into: db)
        }
        var events: Set<String> = []
        for (index, event) in (fixtures.callbackEvents ?? []).enumerated() {
            let path = ["callback_events", String(index)]
            try FixtureRules.requireUUID(event.id, at: path + ["id"])
            try FixtureRules.requireUnique(event.id, in: &events, at: path + ["id"])
            guard ids.contains(event.callback) else {
                throw FixtureProblem(
                    at: path + ["callback"], "there is no callback \"\(event.callback.prefix(60))\"")
            }
            try CallbackEventStore().insert(
                CallbackEvent(
                    id: event.id, callback: event.callback, body: event.body.text, state: event.state,
                    attempts: event.attempts, status: event.status, failure: event.failure,
                    createdAt: event.createdAt, changedAt: event.changedAt), in: db)
        }
        try loadRecords(fixtures, into: db)
    }

    private static func load(
        _ fixture: CallbackFixture, at path: [String], into db: Connection
    ) throws {
        try FixtureRules.requireUUID(fixture.id, at: path + ["id"])
        guard try ApplicationStore().find(fixture.application, in: db) != nil else {
            throw FixtureProblem(
                at: path + ["application"], "there is no application \"\(fixture.application.prefix(60))\"")
        }
        guard CallbackInput.isUsable(url: fixture.url) else {
            throw FixtureProblem(
                at: path + ["url"], "expected a URL of http or https, found \"\(fixture.url.prefix(60))\"")
        }
        for (name, text) in [
            ("initial_backoff", fixture.initialBackoff), ("retention_period", fixture.retentionPeriod),
        ] where text.map({ ISODuration($0) == nil }) ?? false {
            throw FixtureProblem(
                at: path + [name],
                "expected a duration of ISO 8601 such as PT2S or P30D, found \"\((text ?? "").prefix(60))\"")
        }
        try FixtureRules.require(1...64, fixture.maxAttempts ?? 1, at: path + ["max_attempts"])
        for (index, name) in (fixture.attributes ?? []).enumerated()
        where !fixture.type.attributes.contains(name) {
            throw FixtureProblem(
                at: path + ["attributes", String(index)],
                "expected one of \(fixture.type.attributes.joined(separator: ", ")), found \"\(name.prefix(60))\""
            )
        }
        try CallbackStore().insert(
            RegisteredCallback(
                id: fixture.id, application: fixture.application, name: fixture.name, kind: fixture.type,
                url: fixture.url, attributes: fixture.attributes ?? [],
                authentication: fixture.authentication ?? CallbackAuthentication(),
                maxAttempts: fixture.maxAttempts ?? 1,
                initialBackoff: fixture.initialBackoff ?? RegisteredCallback.defaultBackoff,
                retentionPeriod: fixture.retentionPeriod ?? RegisteredCallback.defaultRetention,
                isEnabled: fixture.isEnabled ?? true), in: db)
    }

    private static func loadRecords(_ fixtures: PowerAuthFixtures, into db: Connection) throws {
        var ids: Set<String> = []
        var tokens: Set<String> = []
        for (index, fixture) in (fixtures.integrations ?? []).enumerated() {
            let path = ["integrations", String(index)]
            try FixtureRules.requireUnique(fixture.id, in: &ids, at: path + ["id"])
            try FixtureRules.requireUnique(fixture.clientToken, in: &tokens, at: path + ["client_token"])
            try IntegrationStore().insert(
                Integration(
                    id: fixture.id, name: fixture.name, clientToken: fixture.clientToken,
                    clientSecret: fixture.clientSecret), in: db)
        }
        for record in fixtures.audit ?? [] {
            try AuditStore().add(
                AuditRecord(
                    activation: record.activation, user: record.user, application: record.application,
                    type: record.type, data: record.data, at: record.at), in: db)
        }
    }

    static func exportCallbacks(to fixtures: inout PowerAuthFixtures, from db: Connection) throws {
        fixtures.callbacks = try CallbackStore().all(in: db).map { callback in
            CallbackFixture(
                id: callback.id, application: callback.application, name: callback.name, type: callback.kind,
                url: callback.url, attributes: callback.attributes, authentication: callback.authentication,
                maxAttempts: callback.maxAttempts, initialBackoff: callback.initialBackoff,
                retentionPeriod: callback.retentionPeriod, isEnabled: callback.isEnabled)
        }
        fixtures.callbackEvents = try CallbackEventStore().all(in: db).map { event in
            CallbackEventFixture(
                id: event.id, callback: event.callback,
                body: try JSONValue(parsing: Array(event.body.utf8)), state: event.state,
                attempts: event.attempts, status: event.status, failure: event.failure,
                createdAt: event.createdAt, changedAt: event.changedAt)
        }
        fixtures.integrations = try IntegrationStore().all(in: db).map { integration in
            IntegrationFixture(
                id: integration.id, name: integration.name, clientToken: integration.clientToken,
                clientSecret: integration.clientSecret)
        }
        fixtures.audit = try AuditStore().all(in: db).map { record in
            AuditFixture(
                activation: record.activation, user: record.user, application: record.application,
                type: record.type, data: record.data, at: record.at)
        }
    }
}
