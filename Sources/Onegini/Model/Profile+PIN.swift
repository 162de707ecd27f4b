import Crypto

// The verifier of a PIN in the convenience mode.
extension Profile {
    /// Source: the device protocol, as for the mask.
    static let pinIterations = 10_000

    mutating func setPIN(_ pin: String, salt: [UInt8]) throws {
        pinSalt = salt
        pinDigest = try Self.digest(of: pin, salt: salt)
    }

    /// Nil when the profile has no PIN here.
    func hasPIN(_ pin: String) throws -> Bool? {
        guard let pinSalt, let pinDigest else { return nil }
        return constantTimeEqual(try Self.digest(of: pin, salt: pinSalt), pinDigest)
    }

    private static func digest(of pin: String, salt: [UInt8]) throws -> [UInt8] {
        try KeyDerivation.pbkdf2(
            .sha256, password: Array(pin.utf8), salt: salt, iterations: pinIterations, count: 32)
    }
}
