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
