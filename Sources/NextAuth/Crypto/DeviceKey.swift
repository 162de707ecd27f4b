import Crypto

/// Keys and proofs of devices. Source: the device protocol.
enum DeviceKey {
    /// A P-256 key of its SPKI in base64url; nil for anything else, a point that is not on the curve included.
    ///
    /// One key has one spelling, so that what is signed is what is stored: everything before the point is the same for all of them.
    static func publicKey(_ text: String) -> PublicKey? {
        guard let der = Base64URL.decode(text), der.starts(with: spkiPrefix) else { return nil }
        let point = Array(der.dropFirst(spkiPrefix.count))
        guard point.count == 65, point[0] == 4 else { return nil }
        // What OpenSSL cannot read is no key.
        return try? PublicKey(.p256, x962: point)
    }

    /// id-ecPublicKey, prime256v1, and the head of a bit string of 65 bytes. Source: RFC 5480 §2.
    private static let spkiPrefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
        0x48,
        0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

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
