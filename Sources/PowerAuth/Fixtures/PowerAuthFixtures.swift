import Essentials
import PlatformKit
package import SQLite

/// The section `powerauth` of a fixture file.
package struct PowerAuthFixtures: Codable, Sendable {
    var settings: Settings?
    var applications: [ApplicationFixture]?
    /// Accounts of back ends and administrators.
    var users: [SystemUserFixture]?
    /// Registrations of devices, oldest first.
    var activations: [ActivationFixture]?
    /// Oldest first.
    var activationHistory: [HistoryFixture]?
    /// Addresses that are told of changes.
    var callbacks: [CallbackFixture]?
    /// What they were told, oldest first.
    var callbackEvents: [CallbackEventFixture]?
    /// Who may call the management API; everybody when there is none.
    var integrations: [IntegrationFixture]?
    /// The audit log, oldest first.
    var audit: [AuditFixture]?
    var mobile: MobileFixtures?
    var operationTemplates: [OperationTemplateFixture]?
    var mobileTemplates: [MobileTemplateFixture]?
    /// Oldest first.
    var operations: [OperationFixture]?
    /// Inbox messages, oldest first.
    var inbox: [InboxMessageFixture]?
    var pushDevices: [PushDeviceFixture]?

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

extension PowerAuth {
    package static func load(_ fixtures: PowerAuthFixtures, into db: Connection) throws {
        try loadBackOffice(fixtures, into: db)
        try loadActivations(fixtures, into: db)
        try loadCallbacks(fixtures, into: db)
        if let mobile = fixtures.mobile { try load(mobile, at: ["mobile"], into: db) }
        try loadOperations(fixtures, into: db)
    }

    package static func export(from db: Connection) throws -> PowerAuthFixtures {
        var fixtures = PowerAuthFixtures()
        try exportBackOffice(to: &fixtures, from: db)
        try exportActivations(to: &fixtures, from: db)
        try exportCallbacks(to: &fixtures, from: db)
        fixtures.mobile = try exportMobile(from: db)
        try exportOperations(to: &fixtures, from: db)
        return fixtures
    }
}
