import Essentials
import PlatformKit
import SQLite

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
    /// What activations of protocol 4.0 have beside their entries.
    var activationSecrets: [ActivationSecrets]?
    /// MAC tokens of activations.
    var tokens: [Token]?
    var recoveryCodes: [RecoveryCode]?
    /// OpenID Connect claims by user; `sub` is added.
    var userClaims: [String: [String: JSONValue]]?

    enum CodingKeys: String, CodingKey {
        case tokens
        case activationSecrets = "activation_secrets"
        case recoveryCodes = "recovery_codes"
        case userClaims = "user_claims"
    }
}
