import Crypto

/// Keys and proofs of devices. Source: the device protocol.
enum DeviceKey {
    /// A P-256 key of its SPKI in base64url; nil for anything else.
    static func publicKey(_ text: String) -> PublicKey? {
        guard let der = Base64URL.decode(text), let key = try? PublicKey(der: der), key.kind == .ec(.p256)
        else { return nil }
        // One key has one spelling, so that what is signed is what is stored.
        return (try? key.der()) == der ? key : nil
    }

    /// What a device derives of its PIN. The salt is the instance id, decoded.
    static func pinKey(of pin: String, instance: String) throws -> String {
        Base64URL.encode(
            try KeyDerivation.pbkdf2(
                .sha256, password: Array(pin.utf8), salt: Base64URL.decode(instance) ?? [],
                iterations: 10_000, count: 32))
    }

    /// Whether a proof is the HMAC of the challenge under the PIN's key.
    static func isProof(_ proof: String, of challenge: String, pinKey: String) -> Bool {
        guard let proof = Base64URL.decode(proof), let challenge = Base64URL.decode(challenge),
            let key = Base64URL.decode(pinKey)
        else { return false }
        return Digest.sha256.isAuthenticationCode(proof, of: challenge, key: key)
    }
}
