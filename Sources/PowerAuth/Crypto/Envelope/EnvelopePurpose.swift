/// What a message is encrypted for: the constant that the protocol calls `sharedInfo1`.
package enum EnvelopePurpose: String, Sendable, CaseIterable {
    case applicationGeneric = "/pa/generic/application"
    case activationLayer2 = "/pa/activation"
    case activationGeneric = "/pa/generic/activation"
    case upgrade = "/pa/upgrade"
    case vaultUnlock = "/pa/vault/unlock"
    case createToken = "/pa/token/create"
    case confirmRecovery = "/pa/recovery/confirm"

    package var scope: EnvelopeScope {
        switch self {
        case .applicationGeneric, .activationLayer2: .application
        case .activationGeneric, .upgrade, .vaultUnlock, .createToken, .confirmRecovery: .activation
        }
    }
}

/// Whom an encrypted message binds: any copy of the application, or one activation.
package enum EnvelopeScope: String, Sendable {
    case application
    case activation
}
