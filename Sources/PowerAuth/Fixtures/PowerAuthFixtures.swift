import Essentials
import PlatformKit
package import SQLite

/// The section `powerauth` of a fixture file.
package struct PowerAuthFixtures: Codable, Sendable {
    var settings: PowerAuthSettings?
    var applications: [ApplicationFixture]?
    /// Accounts of back ends and administrators.
    var users: [SystemUser]?
    /// Registrations of devices, oldest first.
    var activations: [Activation]?
    /// Oldest first.
    var activationHistory: [HistoryEntry]?
    /// Addresses that are told of changes.
    var callbacks: [RegisteredCallback]?
    /// What they were told, oldest first.
    var callbackEvents: [CallbackEvent]?
    /// Who may call the management API; everybody when there is none.
    var integrations: [Integration]?
    /// The audit log, oldest first.
    var audit: [AuditRecord]?
    var mobile: MobileFixtures?
    var operationTemplates: [OperationTemplate]?
    var mobileTemplates: [MobileTemplate]?
    /// Oldest first.
    var operations: [Operation]?
    /// Inbox messages, oldest first.
    var inbox: [InboxMessage]?
    var pushDevices: [PushDevice]?

    enum CodingKeys: String, CodingKey {
        case settings, applications, users, activations, callbacks, integrations, audit, mobile
        case operations, inbox
        case activationHistory = "activation_history"
        case callbackEvents = "callback_events"
        case operationTemplates = "operation_templates"
        case mobileTemplates = "mobile_templates"
        case pushDevices = "push_devices"
    }
}

/// What devices and users have beside their activations. Temporary keys and the memory of repeats live for minutes and are not exported.
struct MobileFixtures: Codable, Sendable {
    /// MAC tokens of activations.
    var tokens: [Token]?
    var recoveryCodes: [RecoveryCode]?
    /// OpenID Connect claims by user; `sub` is added.
    var userClaims: [String: [String: JSONValue]]?

    enum CodingKeys: String, CodingKey {
        case tokens
        case recoveryCodes = "recovery_codes"
        case userClaims = "user_claims"
    }
}

extension PowerAuth {
    /// The time of an entry that says none: 2026-01-01T00:00:00Z.
    static let standardTime = Date(timeIntervalSince1970: 1_767_225_600)

    package static func load(_ fixtures: PowerAuthFixtures, into db: Connection) throws {
        if let settings = fixtures.settings {
            try settings.check()
            try PowerAuthSettings.kept.set(settings, in: db)
        }
        var rules = StateRules()
        for (index, application) in (fixtures.applications ?? []).enumerated() {
            try application.load(&rules, at: ["applications", String(index)], into: db)
        }
        for list in lists { try list.load(fixtures, &rules, db) }
        guard let mobile = fixtures.mobile else { return }
        for list in mobileLists { try list.load(mobile, &rules, db) }
        for (user, claims) in mobile.userClaims ?? [:] {
            try db.save(UserClaims(user: user, claims: claims))
        }
    }

    package static func export(from db: Connection) throws -> PowerAuthFixtures {
        var fixtures = PowerAuthFixtures(settings: try PowerAuthSettings.kept.value(in: db))
        fixtures.applications = try db.all(Application.self).map { try ApplicationFixture($0, in: db) }
        for list in lists { try list.export(&fixtures, db) }
        var mobile = MobileFixtures()
        for list in mobileLists { try list.export(&mobile, db) }
        let claims = try db.all(UserClaims.self).map { ($0.user, $0.claims) }
        mobile.userClaims = claims.isEmpty ? nil : Dictionary(claims) { _, last in last }
        let isEmpty = mobile.tokens == nil && mobile.recoveryCodes == nil && claims.isEmpty
        fixtures.mobile = isEmpty ? nil : mobile
        return fixtures
    }

    /// As rows and as fixtures; those that others refer to come first.
    private static let lists: [RecordList<PowerAuthFixtures, StateRules>] = [
        RecordList("users", \.users) { try $0.check($1, at: $2) },
        RecordList("activations", \.activations) { try $0.check($1, at: $2) },
        RecordList("activation_history", \.activationHistory),
        RecordList("callbacks", \.callbacks) { try $0.check($1, at: $2) },
        RecordList("callback_events", \.callbackEvents) { try $0.check($1, at: $2) },
        RecordList("integrations", \.integrations) { rules, integration, path in
            try rules.requireNew(integration.id, "id", "integration", at: path)
            try rules.requireNew(integration.clientToken, "client_token", "integration", at: path)
        },
        RecordList("audit", \.audit),
        RecordList("operation_templates", \.operationTemplates) { try $0.check($1, at: $2) },
        RecordList("mobile_templates", \.mobileTemplates) { try $0.check($1, at: $2) },
        RecordList("operations", \.operations) { try $0.check($1, at: $2) },
        RecordList("inbox", \.inbox) { rules, message, path in
            try rules.requireNew(message.id, "id", "message", at: path)
            try FixtureRules.requireName(message.id, at: path + ["id"])
            try FixtureRules.requireName(message.user, at: path + ["user"])
            try rules.requireApplications(message.applications, at: path + ["applications"])
        },
        RecordList("push_devices", \.pushDevices) { rules, device, path in
            try rules.requireNew(device.activation, "activation", "push device", at: path)
            try rules.requireActivation(device.activation, at: path)
            try FixtureRules.requireName(device.token, at: path + ["token"])
        },
    ]

    private static let mobileLists: [RecordList<MobileFixtures, StateRules>] = [
        RecordList("tokens", \.tokens) { rules, token, path in
            let path = ["mobile"] + path
            try rules.requireNew(token.id, "id", "token", at: path)
            try rules.requireActivation(token.activation, at: path)
            try FixtureRules.requireUUID(token.id, at: path + ["id"])
            try FixtureRules.require([16], token.secret, at: path + ["secret"])
        },
        RecordList("recovery_codes", \.recoveryCodes) { try $0.check($1, at: ["mobile"] + $2) },
    ]
}
