import Crypto

/// What a device brings for a second factor.
struct FactorProof: Decodable, Sendable {
    /// To set a PIN: 32 bytes, base64url.
    var pinkey: String?
    /// To set biometrics: SPKI, base64url.
    var biometrickey: String?
    /// HMAC of the challenge under the PIN's key.
    var pinproof: String?
    var biometricsignature: String?
    /// The account's, where nothing was signed before.
    var signature: String?
}

extension FactorProof {
    /// The keys that are to be set.
    ///
    /// - Throws: ``DeviceRefusal/malformed(_:)``.
    func newKeys() throws(DeviceRefusal) -> (pin: String, biometric: String?) {
        guard let pinkey, Base64URL.decode(pinkey)?.count == 32 else {
            throw .malformed(
                "Expected “pinkey”, base64url of 32 bytes: PBKDF2 of the PIN with HMAC-SHA-256, the instance id as salt and "
                    + "10000 rounds.")
        }
        if let biometrickey, DeviceKey.publicKey(biometrickey) == nil {
            throw .malformed("The “biometrickey” is not the SPKI of a key of P-256 in base64url.")
        }
        return (pinkey, biometrickey)
    }

    /// Says what is missing, before anything is counted.
    func requireAnswer() throws(DeviceRefusal) {
        guard (pinproof == nil) != (biometricsignature == nil) else {
            throw .malformed("Expected either “pinproof” or “biometricsignature”.")
        }
        if let pinproof, Base64URL.decode(pinproof)?.count != 32 {
            throw .malformed("The “pinproof” is not base64url of 32 bytes: HMAC-SHA-256 of the challenge.")
        }
    }
}
