import Crypto

/// The three keys of an encrypted exchange, 16 bytes each.
struct EnvelopeKeys: Equatable {
    let encryption: [UInt8]
    let authentication: [UInt8]
    let iv: [UInt8]

    /// - Parameter bytes: 48 of them.
    init(_ bytes: [UInt8]) {
        encryption = Array(bytes[..<16])
        authentication = Array(bytes[16..<32])
        iv = Array(bytes[32..<48])
    }

    /// - Parameters:
    ///   - secret: the 32 bytes that both sides agreed on.
    ///   - ephemeral: the public key as it is sent, in 33 or 65 bytes.
    init(secret: [UInt8], _ purpose: Purpose, ephemeral: [UInt8], _ version: Device.Version) {
        let prefix = version >= .v32 ? version.rawValue : ""
        self.init(
            KeyDerivation.x963(
                .sha256, secret: secret, info: Array((prefix + purpose.rawValue).utf8) + ephemeral, count: 48)
        )
    }
}
