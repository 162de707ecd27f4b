import Crypto
import Essentials
import PlatformKit
import SQLite

extension HankoLoader {
    mutating func load(_ hook: HankoFixtures.WebhookFixture, at path: [String]) throws {
        guard WebhookRules.isURL(hook.callback) else {
            throw FixtureProblem(at: path + ["callback"], "expected an http or https URL")
        }
        guard !hook.events.isEmpty else {
            throw FixtureProblem(at: path + ["events"], "expected one event at least")
        }
        guard 0...1_000_000 ~= hook.failures ?? 0 else {
            throw FixtureProblem(at: path + ["failures"], "expected a number from 0 to 1000000")
        }
        let id =
            hook.id ?? Entropy.uuid(of: Digest.sha256(Array("hanko.webhook \(hook.callback)".utf8)))
        try Self.insert(id, into: &webhookIDs, at: path + (hook.id == nil ? ["callback"] : ["id"]))
        let createdAt = hook.createdAt ?? Self.standardTime
        try WebhookStore.insert(
            Webhook(
                id: id, callback: hook.callback, isEnabled: hook.isEnabled ?? true,
                failures: hook.failures ?? 0,
                expiresAt: hook.expiresAt ?? createdAt.addingTimeInterval(Webhook.lifetimeSeconds),
                events: hook.events, createdAt: createdAt, updatedAt: hook.updatedAt ?? createdAt),
            into: db)
    }

    mutating func load(_ entry: HankoFixtures.AuditFixture, at path: [String]) throws {
        try Self.insert(entry.id, into: &auditIDs, at: path + ["id"])
        try AuditStore.insert(
            AuditEntry(
                id: entry.id, type: entry.type, error: entry.error, requestID: entry.requestID,
                sourceAddress: entry.sourceAddress, userAgent: entry.userAgent, userID: entry.userID,
                address: entry.address, details: entry.details ?? [:], createdAt: entry.createdAt),
            into: db)
    }
}
