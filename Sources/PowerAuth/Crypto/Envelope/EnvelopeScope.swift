/// Whom an encrypted message binds: any copy of the application, or one activation.
package enum EnvelopeScope: String, Sendable {
    case application
    case activation
}
