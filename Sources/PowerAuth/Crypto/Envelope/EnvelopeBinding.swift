import Crypto

/// What an encrypted message is bound to beside its keys.
package struct EnvelopeBinding: Sendable {
    package let version: ProtocolVersion
    package let applicationKey: ApplicationKey
    /// `nil` in application scope.
    package let activationID: String?
    /// The base of `sharedInfo2`, 32 bytes.
    package let base: [UInt8]

    /// For application scope.
    package init(_ version: ProtocolVersion, key: ApplicationKey, secret: ApplicationSecret) {
        self.version = version
        applicationKey = key
        activationID = nil
        base = Digest.sha256(Array(secret.text.utf8))
    }

    /// For activation scope.
    package init(
        _ version: ProtocolVersion, key: ApplicationKey, secret: ApplicationSecret, activationID: String,
        transport: SecretKey
    ) {
        self.version = version
        applicationKey = key
        self.activationID = activationID
        base = Digest.sha256.authenticationCode(of: Array(secret.text.utf8), key: transport.bytes)
    }

    package var scope: EnvelopeScope { activationID == nil ? .application : .activation }
}
