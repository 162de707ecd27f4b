import Essentials
import PlatformKit
package import SQLite

extension PowerAuth {
    package static func load(_ fixtures: PowerAuthFixtures, into db: Connection) throws {
        if let settings = fixtures.settings {
            try settings.check()
            try PowerAuthSettings.kept.set(settings, in: db)
        }
        var rules = StateRules()
        for (index, application) in (fixtures.applications ?? []).enumerated() {
            try application.load(&rules, at: ["applications", String(index)], into: db)
        }
        try lists.load(fixtures, &rules, into: db)
        try load(fixtures.mobile ?? MobileFixtures(), &rules, into: db)
        try rules.requireSecrets()
    }

    private static func load(
        _ mobile: MobileFixtures, _ rules: inout StateRules, into db: Connection
    ) throws {
        try mobileLists.load(mobile, &rules, into: db)
        for (user, claims) in mobile.userClaims ?? [:] {
            try db.save(UserClaims(user: user, claims: claims))
        }
    }

    package static func export(from db: Connection) throws -> PowerAuthFixtures {
        var fixtures = PowerAuthFixtures(settings: try PowerAuthSettings.kept.value(in: db))
        fixtures.applications = try db.all(Application.self).map { try ApplicationFixture($0, in: db) }
        try lists.export(into: &fixtures, from: db)
        var mobile = MobileFixtures()
        try mobileLists.export(into: &mobile, from: db)
        let claims = try db.all(UserClaims.self).map { ($0.user, $0.claims) }
        mobile.userClaims = claims.isEmpty ? nil : Dictionary(claims) { _, last in last }
        let isEmpty =
            mobile.tokens == nil && mobile.activationSecrets == nil && mobile.recoveryCodes == nil
            && claims.isEmpty
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
        RecordList("activation_secrets", \.activationSecrets) { try $0.check($1, at: ["mobile"] + $2) },
        RecordList("tokens", \.tokens) { rules, token, path in
            let path = ["mobile"] + path
            try rules.requireNew(token.id, "id", "token", at: path)
            try rules.requireActivation(token.activation, at: path)
            try FixtureRules.requireUUID(token.id, at: path + ["id"])
            try FixtureRules.require([16, 32], token.secret, at: path + ["secret"])
        },
        RecordList("recovery_codes", \.recoveryCodes) { try $0.check($1, at: ["mobile"] + $2) },
    ]
}
