/// Whom an encrypted exchange, or a temporary key for it, is bound to.
package enum Scope: String, Sendable, CaseIterable {
    case application
    case activation
}
