import Crypto

/// What both sides of an encrypted exchange know besides its keys: it is authenticated with the message.
struct EnvelopeContext {
    var version: Device.Version
    /// Texts, as they stand in the configuration.
    var applicationKey: String
    var applicationSecret: String
    /// Nil in application scope.
    var activation: (id: String, transportKey: [UInt8])?
    /// Protocol 3.3 alone.
    var temporaryKeyID: String?

    /// 32 bytes that the scope gives.
    var base: [UInt8] {
        let secret = Array(applicationSecret.utf8)
        guard let activation else { return Digest.sha256(secret) }
        return Digest.sha256.authenticationCode(of: secret, key: activation.transportKey)
    }

    var associatedData: [UInt8] {
        let texts = [version.rawValue, applicationKey, activation?.id, temporaryKeyID].compactMap(\.self)
        return KeyArithmetic.sized(texts.map { Array($0.utf8) })
    }

    /// What is authenticated behind the ciphertext.
    ///
    /// - Parameter ephemeral: empty for a response.
    func authenticated(nonce: [UInt8], timestamp: Int, ephemeral: [UInt8]) -> [UInt8] {
        if version < .v32 { return base }
        return KeyArithmetic.sized([
            base, nonce, KeyArithmetic.bigEndian(UInt64(bitPattern: Int64(timestamp))), ephemeral,
            associatedData,
        ])
    }
}
