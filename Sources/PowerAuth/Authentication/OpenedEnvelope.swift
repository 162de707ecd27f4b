import Crypto

/// An encrypted request that was opened, and what its answer needs.
struct OpenedEnvelope: Sendable {
    let envelope: Envelope
    /// By which it was opened.
    let privateKey: SecretScalar
    let application: Application
    let applicationVersion: ApplicationVersion
    /// Nil in application scope.
    let activation: Activation?

    var plaintext: [UInt8] { envelope.plaintext }
    var version: ProtocolVersion { envelope.request.version }
}
