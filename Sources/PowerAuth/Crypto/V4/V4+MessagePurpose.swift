extension V4 {
    /// What an encrypted message is for: `sharedInfo1`.
    enum MessagePurpose: String, Sendable, CaseIterable {
        case applicationGeneric = "/pa/generic/application"
        case activationLayer = "/pa/activation"
        case upgradeStart = "/pa/upgrade/start"
        case activationGeneric = "/pa/generic/activation"
        /// So one document has it; the SDK's table has the generic one.
        case activationStatus = "/pa/activation/status"
        case createToken = "/pa/token/create"
        case vaultUnlock = "/pa/vault/unlock"
        case changePassword = "/pa/password/change"
        case addBiometry = "/pa/biometry/add"

        var scope: EnvelopeScope {
            switch self {
            case .applicationGeneric, .activationLayer, .upgradeStart: .application
            default: .activation
            }
        }
    }
}
