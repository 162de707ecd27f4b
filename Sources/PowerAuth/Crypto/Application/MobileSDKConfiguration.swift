package import Crypto
import PostQuantum

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

    /// That of the SDK 2.x: a key of each kind, points in their compressed form, as published samples have them. With all four it has
    /// 6,288 characters.
    ///
    /// - Parameter masterPublicKeys: of P-384 and of P-256.
    /// - Throws: ``CryptoError`` for a key that is not on a curve of the format.
    init(
        key: ApplicationKey, secret: ApplicationSecret, masterPublicKeys: [PublicKey],
        lattice: [MLDSA.VerificationKey]
    ) throws {
        let points = try masterPublicKeys.map { key in
            let point = try CurvePoint(key)
            return (point.curve == .p384 ? Self.keyOfP384 : Self.keyOfP256, Self.compressed(point))
        }
        let keys =
            points
            + lattice.map { key in
                (key.set == .mldsa65 ? Self.keyOfMLDSA65 : Self.keyOfMLDSA87, key.subjectPublicKeyInfo)
            }
        var bytes: [UInt8] = [Self.format]
        bytes += Self.count(key.decoded.count) + key.decoded
        bytes += Self.count(secret.decoded.count) + secret.decoded + Self.count(keys.count)
        for (id, key) in keys { bytes += [id] + Self.count(key.count) + key }
        text = Base64.encode(bytes)
    }

    /// Source: SEC 1 §2.3.3.
    private static func compressed(_ point: CurvePoint) -> [UInt8] {
        [2 | (point.x962.last ?? 0) & 1] + point.x962[1...point.curve.coordinateCount]
    }

    private static let format: UInt8 = 1
    private static let keyOfP256: UInt8 = 1
    private static let keyOfP384: UInt8 = 2
    private static let keyOfMLDSA65: UInt8 = 3
    private static let keyOfMLDSA87: UInt8 = 4

    /// A length in one, two or four bytes, of which the first bits tell how many.
    static func count(_ count: Int) -> [UInt8] {
        switch count {
        case ...0x7F: [UInt8(clamping: count)]
        case ...0x3FFF: bigEndian(UInt16(count) | 0x8000)
        default: bigEndian(UInt32(clamping: min(count, 0x3FFF_FFFF)) | 0xC000_0000)
        }
    }
}
