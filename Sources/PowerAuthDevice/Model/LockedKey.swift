import Crypto

/// The knowledge key as the device keeps it: any PIN opens it, the right one to the right key, so that only the server can tell.
package struct LockedKey: Sendable, Codable, Equatable {
    private let salt: [UInt8]
    private let bytes: [UInt8]

    /// - Parameters:
    ///   - key: 16 bytes, as has `salt`.
    init(_ key: [UInt8], pin: String, salt: [UInt8]) throws {
        self.salt = salt
        bytes = try Self.combine(key, pin, salt)
    }

    func key(pin: String) throws -> [UInt8] { try Self.combine(bytes, pin, salt) }

    /// Locked by another PIN. When the present one is wrong, the key is lost, as on a real device that does not ask the server.
    func relocked(from pin: String, to newPIN: String, salt: [UInt8]) throws -> LockedKey {
        try LockedKey(key(pin: pin), pin: newPIN, salt: salt)
    }

    private static func combine(_ bytes: [UInt8], _ pin: String, _ salt: [UInt8]) throws -> [UInt8] {
        let mask = try KeyDerivation.pbkdf2(
            .sha1, password: Array(pin.utf8), salt: salt, iterations: 10_000, count: 16)
        return zip(bytes, mask).map { $0 ^ $1 }
    }
}
