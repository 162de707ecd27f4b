package import Crypto

/// Eight digits that the user compares on both sides before the activation is committed.
package enum Fingerprint {
    /// - Throws: ``CryptoError`` when a key is not on a curve.
    package static func digits(
        device: PublicKey, activationID: String, server: PublicKey
    ) throws -> String {
        let bytes = try number(device) + Array(activationID.utf8) + number(server)
        return decimalCode(of: Digest.sha256(bytes), digits: 8)
    }

    /// The x coordinate without zero bytes before it.
    private static func number(_ key: PublicKey) throws -> [UInt8] {
        try Array(key.point().x.drop { $0 == 0 })
    }
}
