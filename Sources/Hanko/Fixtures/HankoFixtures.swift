import Essentials
import PlatformKit

/// The section `hanko` of a fixture file: the settings and, beside them, the rows.
package struct HankoFixtures: Codable, Sendable {
    var settings = HankoSettings()
    var state = HankoState()

    init(settings: HankoSettings, state: HankoState) { (self.settings, self.state) = (settings, state) }

    package init(from decoder: any Decoder) throws {
        settings = try HankoSettings(from: decoder)
        state = try HankoState(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        try settings.encode(to: encoder)
        try state.encode(to: encoder)
    }
}

/// The rows of a world.
struct HankoState: Codable, Sendable {
    var users: [UserFixture]?
    /// Addresses that are nobody's yet.
    var emails: [EmailFixture]?
    var passcodes: [Passcode]?
    var sessions: [Session]?
    var rateLimits: [RateLimitBucket]?
    /// Devices that need not bring the second factor.
    var trustedDevices: [TrustedDevice]?
    /// Challenges of the classic WebAuthn endpoints that wait for their answer.
    var challenges: [Challenge]?
    /// Flows under way, as the server keeps them: for snapshots, not to be written by hand.
    var flows: [Flow]?
    /// Sign-ins that are under way at a provider.
    var thirdPartyStates: [ThirdPartyState]?
    /// Tokens that browsers brought back and nobody traded yet.
    var thirdPartyTokens: [ThirdPartyToken]?
    /// Hooks as the admin API makes them.
    var webhooks: [Webhook]?
    /// Entries of the audit log.
    var auditLog: [AuditEntry]?

    enum CodingKeys: String, CodingKey {
        case users, emails, passcodes, sessions, challenges, flows, webhooks
        case rateLimits = "rate_limits"
        case trustedDevices = "trusted_devices"
        case thirdPartyStates = "third_party_states"
        case thirdPartyTokens = "third_party_tokens"
        case auditLog = "audit_logs"
    }

    /// What is loaded after users and addresses, which it names.
    static let lists: [RecordList<HankoState, HankoRules>] = [
        RecordList("passcodes", \.passcodes) { try $0.check($1, at: $2) },
        RecordList("sessions", \.sessions) { rules, session, path in
            try rules.requireNewID(session.id, of: "session", at: path + ["id"])
            try rules.requireUser(session.userID, at: path)
        },
        RecordList("rate_limits", \.rateLimits) { rules, bucket, path in
            try rules.requireNew(bucket.key, "key", at: path)
            guard bucket.used >= 0 else {
                throw FixtureProblem(at: path + ["used"], "expected no negative number")
            }
        },
        RecordList("trusted_devices", \.trustedDevices) { rules, device, path in
            try rules.requireUser(device.userID, at: path)
            try rules.requireNew(device.token, "token", at: path)
        },
        RecordList("challenges", \.challenges) { try $0.check($1, at: $2) },
        RecordList("flows", \.flows) { try $0.requireNewID($1.id, of: "flow", at: $2 + ["id"]) },
        RecordList("third_party_states", \.thirdPartyStates) { rules, state, path in
            if let userID = state.userID { try rules.requireUser(userID, at: path) }
            try rules.requireNew(state.state, "state", at: path)
        },
        RecordList("third_party_tokens", \.thirdPartyTokens) { rules, token, path in
            try rules.requireUser(token.userID, at: path)
            try rules.requireIdentity(token.identityID, at: path)
            try rules.requireNew(token.value, "value", at: path)
        },
        RecordList("webhooks", \.webhooks) { try $0.check($1, at: $2) },
        RecordList("audit_logs", \.auditLog) { try $0.requireNewID($1.id, of: "entry", at: $2 + ["id"]) },
    ]
}
