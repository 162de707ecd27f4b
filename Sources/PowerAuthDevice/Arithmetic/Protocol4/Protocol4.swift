import Crypto
import DeviceKit
import PostQuantum

/// The arithmetic of protocol 4.0, as SDK 2.x does it. Source: PowerAuth documentation 2.x, “Basic Definitions” and “Key Derivation”; the
/// published test vectors of the SDK.
package enum Protocol4 {
    package static let version = "4.0"

    /// 32 bytes of KMAC unless more are asked for.
    static func code(
        _ key: [UInt8], _ data: [UInt8], _ custom: String, count: Int = 32
    ) throws -> [UInt8] {
        try KMAC256.code(of: data, key: key, custom: custom, count: count)
    }

    static func key(
        _ parent: [UInt8], _ label: String, _ diversifier: [UInt8] = [], count: Int = 32
    ) throws -> [UInt8] {
        try code(parent, KeyArithmetic.sized([Array(label.utf8), diversifier]), "PA4KDF", count: count)
    }

    /// The key under which the PIN keeps the key of knowledge on the device.
    ///
    /// - Throws: ``DeviceError`` for fewer than four characters, which SDKs take for no PIN.
    static func pinKey(_ pin: String, salt: [UInt8]) throws -> [UInt8] {
        guard 4...256 ~= pin.utf8.count else { throw DeviceError("a PIN has at least four characters") }
        return try code(Array(pin.utf8), salt, "PA4PBKDF")
    }

    /// The keys by which the other side signs.
    ///
    /// - Parameter second: SubjectPublicKeyInfo of ML-DSA; nil where there is none.
    /// - Throws: ``DeviceError`` when one of them is missing.
    static func keys(
        _ point: [UInt8], _ second: [UInt8]?, _ algorithm: Algorithm
    ) throws -> (point: PublicKey, second: MLDSA.VerificationKey?) {
        let key = try PublicKey(.p384, x962: point)
        guard let set = algorithm.signature else { return (key, nil) }
        guard let second else { throw DeviceError("\(algorithm.rawValue) needs a key of \(set.rawValue)") }
        return (key, try MLDSA.VerificationKey(set, subjectPublicKeyInfo: second))
    }

    /// The digest of a token's header.
    static func tokenDigest(_ secret: [UInt8], nonce: [UInt8], timestamp: String) throws -> [UInt8] {
        try code(secret, nonce + Array("&\(timestamp)&\(version)".utf8), "PA4DIGEST")
    }

    /// The counter after this one.
    static func step(_ counter: [UInt8]) -> [UInt8] { SHA3.bits256(counter) }

    /// 32 bytes for each factor; keys in the order possession, then knowledge or biometry.
    static func components(_ keys: [[UInt8]], counter: [UInt8], data: [UInt8]) throws -> [[UInt8]] {
        try keys.indices.map { last in
            let link = try keys[...last].reduce([]) { try code($1, counter + $0, "PA4CODE") }
            return try code(link, data, "PA4CODE")
        }
    }

    /// The eight digits that people compare. `second` is SubjectPublicKeyInfo of ML-DSA, empty where there is none.
    static func fingerprint(
        _ algorithm: Algorithm, device: (point: PublicKey, second: [UInt8]), activationID: String,
        server: (point: PublicKey, second: [UInt8])
    ) throws -> String {
        func bytes(_ keys: (point: PublicKey, second: [UInt8])) throws -> [UInt8] {
            Array(try keys.point.point().x.drop { $0 == 0 }) + keys.second
        }
        let all =
            try Array(algorithm.rawValue.utf8) + bytes(device) + Array(activationID.utf8) + bytes(server)
        return KeyArithmetic.decimal(SHA3.bits256(all), digits: 8)
    }
}
