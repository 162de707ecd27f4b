import Crypto

/// Protocol 4.0, computed as the server does: pure functions, without a record and without a request.
///
/// Sources: the vendor's published documentation of PowerAuth 2.x, its published test vectors, and the open source of its libraries. Where they
/// differ, the vectors decide.
enum V4 {
    static let version = "4.0"
    /// Of a derived key, of a code and of counter data, in bytes.
    static let keyCount = 32

    /// For what a code of KMAC is: the custom string.
    enum Purpose: String {
        case derivation = "PA4KDF"
        case envelopeTag = "PA4MAC-AEAD"
        case sharedInfo2 = "PA4SH2"
        case authenticationCode = "PA4CODE"
        case tokenDigest = "PA4DIGEST"
        case counterData = "PA4MAC-CTR"
        case status = "PA4MAC-STATUS"
        case personalizedData = "PA4MAC-QR"
        case sharedSecret = "KDF"
    }

    static func mac(_ bytes: [UInt8], _ key: [UInt8], for purpose: Purpose, count: Int = keyCount) throws
        -> [UInt8]
    {
        try KMAC256.code(of: bytes, key: key, custom: purpose.rawValue, count: count)
    }

    /// The key of that label below another one.
    static func derive(
        _ key: [UInt8], _ label: String, diversifier: [UInt8] = [], count: Int = keyCount
    ) throws -> [UInt8] {
        try mac(sized(Array(label.utf8), diversifier), key, for: .derivation, count: count)
    }

    /// Several labels, each below the one before.
    static func derive(_ key: [UInt8], along labels: String...) throws -> [UInt8] {
        try labels.reduce(key) { try derive($0, $1) }
    }
}
