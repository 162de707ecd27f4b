import Crypto
import Essentials
import PlatformKit
import SQLite

/// A back end that wants to hear of events, registered over the admin API.
struct Webhook: Record, Equatable {
    static let table: Table = "hanko_webhook"

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

    func switchedOff(at now: Date) -> Webhook {
        var hook = self
        (hook.isEnabled, hook.updatedAt) = (false, now)
        return hook
    }

    /// After a call.
    func noting(success: Bool, at now: Date) -> Webhook {
        var hook = self
        hook.failures = success ? 0 : failures.adding(1)
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

extension Webhook {
    enum CodingKeys: String, CodingKey {
        case id, callback, events, failures
        case isEnabled = "enabled"
        case expiresAt = "expires_at"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    /// In fixtures everything but callback and events may be left out.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        callback = try members.decode(String.self, forKey: .callback)
        events = try members.decode([WebhookEvent].self, forKey: .events)
        id = try members.decodeIfPresent(String.self, forKey: .id) ?? EntryID.made("webhook", of: callback)
        isEnabled = try members.decodeIfPresent(Bool.self, forKey: .isEnabled) ?? true
        failures = try members.decodeIfPresent(Int.self, forKey: .failures) ?? 0
        createdAt = try members.decodeIfPresent(Date.self, forKey: .createdAt) ?? .ofFixtures
        updatedAt = try members.decodeIfPresent(Date.self, forKey: .updatedAt) ?? createdAt
        expiresAt =
            try members.decodeIfPresent(Date.self, forKey: .expiresAt) ?? createdAt + Self.lifetimeSeconds
    }
}

/// A hook as the admin API shows one, with its events as rows of their own:
/// `{"id", "callback", "enabled", "failures", "expires_at", "events": [{"id", "event"}], "created_at", "updated_at"}`
struct WebhookOutput: Encodable, Sendable {
    let hook: Webhook

    init(_ hook: Webhook) { self.hook = hook }

    func encode(to encoder: any Encoder) throws {
        try hook.encode(to: encoder)
        var members = encoder.container(keyedBy: Webhook.CodingKeys.self)
        try members.encode(hook.events.map { EventRow(of: hook, $0) }, forKey: .events)
    }

    /// An event, whose id follows from the hook's.
    private struct EventRow: Encodable {
        let id: String
        let event: WebhookEvent

        init(of hook: Webhook, _ event: WebhookEvent) {
            id = EntryID.made("webhook-event", of: "\(hook.id) \(event.rawValue)")
            self.event = event
        }
    }
}

/// What webhooks tell. Source: Hanko 2.7, webhooks.
enum WebhookEvent: String, Codable, Sendable, CaseIterable {
    case user
    case userLogin = "user.login"
    case userCreate = "user.create"
    case userUpdate = "user.update"
    case userDelete = "user.delete"
    case userUpdateEmail = "user.update.email"
    case userUpdateEmailCreate = "user.update.email.create"
    case userUpdateEmailPrimary = "user.update.email.primary"
    case userUpdateEmailDelete = "user.update.email.delete"
    case userUpdateUsername = "user.update.username"
    case userUpdateUsernameCreate = "user.update.username.create"
    case userUpdateUsernameUpdate = "user.update.username.update"
    case userUpdateUsernameDelete = "user.update.username.delete"
    case userUpdatePassword = "user.update.password.update"
    case emailSend = "email.send"
    // After 3.x.
    case session
    case sessionCreate = "session.create"
    case sessionCreateFlow = "session.create.flow"
    case sessionCreateAdmin = "session.create.admin"
    case sessionDelete = "session.delete"
    case sessionDeleteExplicit = "session.delete.explicit"
    case sessionDeleteExplicitLogout = "session.delete.explicit.logout"
    case sessionDeleteExplicitRevoke = "session.delete.explicit.revoke"
    case sessionDeleteAdmin = "session.delete.admin"
    case sessionDeleteAdminRevoke = "session.delete.admin.revoke"
    case sessionDeletePassive = "session.delete.passive"
    case sessionDeletePassiveExpire = "session.delete.passive.expire"
    case sessionDeletePassiveLimit = "session.delete.passive.limit"

    /// Whether no line of Hanko before the profile `next` has it.
    var isOfNext: Bool { rawValue.hasPrefix(WebhookEvent.session.rawValue) }
}

/// What a webhook may look like.
enum WebhookRules {
    /// Hooks that a world may have; ours.
    static let limit = 100
    /// Events that one hook may name; ours.
    static let eventLimit = 100
    /// Bytes of a callback's URL; ours.
    static let urlLimit = 2048

    /// Whether a callback can be called: `http` or `https` and a host, without blanks.
    static func isURL(_ text: String) -> Bool {
        let lower = text.asciiLowercased
        guard text.utf8.count <= urlLimit,
            text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\\") }),
            let scheme = ["http://", "https://"].first(where: lower.hasPrefix)
        else { return false }
        let authority = lower.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        return !host.isEmpty && !host.hasPrefix(":")
    }
}

/// What the token of a webhook says.
///
/// `{"sub":"hanko webhooks","iat":…,"exp":…,"aud":["localhost"],"evt":"user.create","data":{…}}`
struct WebhookClaims: Sendable {
    static let lifetimeSeconds = 300

    /// Seconds since 1970.
    let issuedAt: Int
    let audience: [String]
    let event: WebhookEvent
    let data: JSONValue

    var json: JSONValue { json(lasting: Self.lifetimeSeconds) }

    func json(lasting seconds: Int) -> JSONValue {
        [
            "sub": "hanko webhooks",
            "iat": .integer(issuedAt),
            "exp": .integer(issuedAt + seconds),
            "aud": JSONValue(audience),
            "evt": .string(event.rawValue),
            "data": data,
        ]
    }
}

/// `{"token": jwt, "event": "user.create"}`
struct WebhookBody: Encodable, Sendable {
    let token: String
    let event: WebhookEvent
}
