import Essentials

extension HankoFixtures {
    struct WebhookFixture: Codable, Sendable {
        /// Version 4 UUID in lower case; made of the callback when left out.
        var id: String?
        /// `http` or `https`.
        var callback: String
        var events: [WebhookEvent]
        /// True when left out.
        var isEnabled: Bool?
        /// Since the last success; 0 when left out.
        var failures: Int?
        /// 30 days after `created_at` when left out.
        var expiresAt: Date?
        /// 2026-01-01 when left out.
        var createdAt: Date?
        /// `created_at` when left out.
        var updatedAt: Date?

        enum CodingKeys: String, CodingKey {
            case id, callback, events
            case isEnabled = "enabled"
            case failures
            case expiresAt = "expires_at"
            case createdAt = "created_at"
            case updatedAt = "updated_at"
        }
    }

    struct AuditFixture: Codable, Sendable {
        /// Version 4 UUID in lower case.
        var id: String
        var type: AuditType
        var error: String?
        var requestID: String
        var sourceAddress: String
        var userAgent: String
        var userID: String?
        var address: String?
        var details: [String: String]?
        var createdAt: Date

        enum CodingKeys: String, CodingKey {
            case id, type, error
            case requestID = "meta_http_request_id"
            case sourceAddress = "meta_source_ip"
            case userAgent = "meta_user_agent"
            case userID = "actor_user_id"
            case address = "actor_email"
            case details
            case createdAt = "created_at"
        }
    }
}

extension HankoFixtures.WebhookFixture {
    init(_ hook: Webhook) {
        self.init(
            id: hook.id, callback: hook.callback, events: hook.events, isEnabled: hook.isEnabled,
            failures: hook.failures, expiresAt: hook.expiresAt, createdAt: hook.createdAt,
            updatedAt: hook.updatedAt)
    }
}

extension HankoFixtures.AuditFixture {
    init(_ entry: AuditEntry) {
        self.init(
            id: entry.id, type: entry.type, error: entry.error, requestID: entry.requestID,
            sourceAddress: entry.sourceAddress, userAgent: entry.userAgent, userID: entry.userID,
            address: entry.address, details: entry.details.isEmpty ? nil : entry.details,
            createdAt: entry.createdAt)
    }
}
