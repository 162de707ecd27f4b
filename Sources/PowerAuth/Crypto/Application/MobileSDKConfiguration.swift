package import Crypto

/// The string by which the SDK is configured, from 1.8 on: application key, secret and the master public key.
package struct MobileSDKConfiguration: Sendable {
    /// Base64, 140 characters with the uncompressed point.
    package let text: String

    /// - Throws: ``CryptoError`` when the master key is not on a curve.
    package init(key: ApplicationKey, secret: ApplicationSecret, masterPublicKey: PublicKey) throws {
        let point = try masterPublicKey.x962()
        var bytes: [UInt8] = [Self.format]
        bytes += Self.count(key.decoded.count) + key.decoded
        bytes += Self.count(secret.decoded.count) + secret.decoded
        bytes += Self.count(1) + [Self.keyOfP256] + Self.count(point.count) + point
        text = Base64.encode(bytes)
    }

    private static let format: UInt8 = 1
    private static let keyOfP256: UInt8 = 1

    /// A length in one, two or four bytes, of which the first bits tell how many.
    static func count(_ count: Int) -> [UInt8] {
        switch count {
        case ...0x7F: [UInt8(clamping: count)]
        case ...0x3FFF: bigEndian(UInt16(count) | 0x8000)
        default: bigEndian(UInt32(clamping: min(count, 0x3FFF_FFFF)) | 0xC000_0000)
        }
    }
}
