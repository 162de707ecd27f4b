import Crypto

/// The eight digits that people compare on both sides. Source: PowerAuth documentation, “Activation”.
enum Fingerprint {
    static func text(device: PublicKey, activationID: String, server: PublicKey) throws -> String {
        let bytes = try number(device) + Array(activationID.utf8) + number(server)
        return KeyArithmetic.decimal(Digest.sha256(bytes), digits: 8)
    }

    /// The x coordinate as a number: without zeros in front.
    private static func number(_ key: PublicKey) throws -> [UInt8] {
        Array(try key.point().x.drop { $0 == 0 })
    }
}
