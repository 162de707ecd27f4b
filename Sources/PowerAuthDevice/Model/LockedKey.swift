import Crypto
import DeviceKit

/// The knowledge key as the device keeps it: any PIN opens it, the right one to the right key, so that only the server can tell.
package struct LockedKey: Sendable, Codable, Equatable {
    private let salt: [UInt8]
    /// Of protocol 4.0, which encrypts the key; in 3.x it is under a mask.
    private let iv: [UInt8]?
    private let bytes: [UInt8]

    /// - Parameters:
    ///   - key: 16 bytes, as has `salt`; in protocol 4.0 both have 32.
    ///   - iv: 16 bytes, protocol 4.0 alone.
    init(_ key: [UInt8], pin: String, salt: [UInt8], iv: [UInt8]? = nil) throws {
        (self.salt, self.iv) = (salt, iv)
        bytes = try Self.combine(key, pin, salt, iv)
    }

    func key(pin: String) throws -> [UInt8] { try Self.combine(bytes, pin, salt, iv) }

    /// Locked by another PIN. When the present one is wrong, the key is lost, as on a real device that does not ask the server.
    func relocked(from pin: String, to newPIN: String, salt: [UInt8]) throws -> LockedKey {
        try LockedKey(key(pin: pin), pin: newPIN, salt: salt)
    }

    private static func combine(
        _ bytes: [UInt8], _ pin: String, _ salt: [UInt8], _ iv: [UInt8]?
    ) throws -> [UInt8] {
        if let iv { return try AES.applyCTR(bytes, key: Protocol4.pinKey(pin, salt: salt), counter: iv) }
        let mask = try KeyDerivation.pbkdf2(
            .sha1, password: Array(pin.utf8), salt: salt, iterations: 10_000, count: 16)
        return zip(bytes, mask).map { $0 ^ $1 }
    }
}
