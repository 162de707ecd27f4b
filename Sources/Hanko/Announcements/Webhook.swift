import Crypto
import Essentials
import PlatformKit
import SQLite

/// A back end that wants to hear of events, registered over the admin API.
struct Webhook: Sendable, Equatable {
    /// A hook is switched off when it failed more often than this, one call after the other.
    static let failuresAllowed = 5
    /// From its making, and from every success, until a hook ends.
    static let lifetimeSeconds: Double = 30 * 86_400

    let id: String
    var callback: String
    var isEnabled: Bool
    /// Since the last success.
    var failures: Int
    var expiresAt: Date
    /// It hears of every event whose name begins with one of these.
    var events: [WebhookEvent]
    let createdAt: Date
    var updatedAt: Date

    func wants(_ event: WebhookEvent) -> Bool { events.contains { event.isTold(to: $0.rawValue) } }

    /// After a call.
    func noting(success: Bool, at now: Date) -> Webhook {
        var hook = self
        hook.failures = success ? 0 : failures + 1
        hook.isEnabled = isEnabled && hook.failures <= Self.failuresAllowed
        if success { hook.expiresAt = now.addingTimeInterval(Self.lifetimeSeconds) }
        hook.updatedAt = now
        return hook
    }
}

extension WebhookEvent {
    /// Whether a hook that asked for `registered` hears of this event.
    func isTold(to registered: String) -> Bool { rawValue.hasPrefix(registered) }
}

extension Webhook: RowDecodable {
    init(row: Row) throws {
        id = try row.text("id")
        callback = try row.text("callback")
        isEnabled = try row.boolean("is_enabled")
        failures = try row.integer("failures")
        expiresAt = try row.date("expires_at")
        events = try JSONDecoder().decode([WebhookEvent].self, from: Data(row.text("events").utf8))
        createdAt = try row.date("created_at")
        updatedAt = try row.date("updated_at")
    }
}

/// `{"id", "callback", "enabled", "failures", "expires_at", "events": [{"id", "event"}], "created_at", "updated_at"}`
extension Webhook: Encodable {
    enum CodingKeys: String, CodingKey {
        case id, callback
        case isEnabled = "enabled"
        case failures
        case expiresAt = "expires_at"
        case events
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(callback, forKey: .callback)
        try members.encode(isEnabled, forKey: .isEnabled)
        try members.encode(failures, forKey: .failures)
        try members.encode(expiresAt, forKey: .expiresAt)
        try members.encode(events.map { EventRow(of: self, $0) }, forKey: .events)
        try members.encode(createdAt, forKey: .createdAt)
        try members.encode(updatedAt, forKey: .updatedAt)
    }

    /// An event as a row of its own, whose id follows from the hook's.
    private struct EventRow: Encodable {
        let id: String
        let event: WebhookEvent

        init(of hook: Webhook, _ event: WebhookEvent) {
            id = Entropy.uuid(
                of: Digest.sha256(Array("hanko.webhook-event \(hook.id) \(event.rawValue)".utf8)))
            self.event = event
        }
    }
}
