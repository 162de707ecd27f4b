/// What an encrypted exchange is for; the keys of the exchange depend on it.
package enum Purpose: String, Sendable, CaseIterable {
    case application = "/pa/generic/application"
    case keyExchange = "/pa/activation"
    case activation = "/pa/generic/activation"
    case upgrade = "/pa/upgrade"
    case vault = "/pa/vault/unlock"
    case token = "/pa/token/create"
    case recovery = "/pa/recovery/confirm"
    /// This and what follows are of protocol 4.0.
    case upgradeStart = "/pa/upgrade/start"
    case password = "/pa/password/change"
    case biometry = "/pa/biometry/add"

    var scope: Scope {
        switch self {
        case .application, .keyExchange, .upgradeStart: .application
        default: .activation
        }
    }
}

/// Whom an encrypted exchange, or a temporary key for it, is bound to.
package enum Scope: String, Sendable, CaseIterable {
    case application
    case activation
}
