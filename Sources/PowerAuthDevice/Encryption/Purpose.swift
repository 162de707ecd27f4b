/// What an encrypted exchange is for; the keys of the exchange depend on it.
package enum Purpose: String, Sendable, CaseIterable {
    case application = "/pa/generic/application"
    case keyExchange = "/pa/activation"
    case activation = "/pa/generic/activation"
    case upgrade = "/pa/upgrade"
    case vault = "/pa/vault/unlock"
    case token = "/pa/token/create"
    case recovery = "/pa/recovery/confirm"

    var scope: Scope { self == .application || self == .keyExchange ? .application : .activation }
}

/// Whom an encrypted exchange, or a temporary key for it, is bound to.
package enum Scope: String, Sendable, CaseIterable {
    case application
    case activation
}
