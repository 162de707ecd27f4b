import Crypto

extension OpenPGP {
    /// A public key of Curve25519 and how keys are derived and wrapped for it. Source: RFC 6637 §8, §9.
    struct AgreementMaterial: Sendable {
        /// The object identifier 1.3.6.1.4.1.3029.1.5.1.
        static let curve: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0x97, 0x55, 0x01, 0x05, 0x01]

        /// 32 bytes
        let point: [UInt8]
        /// `03 01`, the hash and the cipher, as they stand in the key
        let parameters: [UInt8]
        let digest: Digest
        /// The size of the key that wraps, in bytes.
        let wrappingKeyCount: Int

        init(_ reader: inout Reader) throws(OpenPGPError) {
            point = try reader.point(of: Self.curve, Algorithm.ecdh)
            parameters = try reader.bytes(4)
            guard parameters.starts(with: [3, 1]),
                let digest = HashAlgorithm(rawValue: parameters[2])?.digest,
                let count = Cipher(rawValue: parameters[3])?.keyCount
            else { throw .malformed("the key says a derivation that is not known") }
            self.digest = digest
            wrappingKeyCount = count
        }
    }
}

extension OpenPGP.AgreementMaterial {
    /// The algorithm and the session key as it is sent to a key of Curve25519. Source: RFC 6637 §8, §10.
    ///
    /// - Parameter ephemeral: a key pair for this message alone.
    func encrypted(
        _ session: OpenPGP.SessionKey, fingerprint: [UInt8], by ephemeral: AgreementKey
    ) throws(OpenPGPError) -> [UInt8] {
        let shared = try OpenPGP.compute { try ephemeral.sharedSecret(with: point) }
        let wrappingKey = wrappingKey(shared: shared, fingerprint: fingerprint)
        let wrapped = try OpenPGP.compute { try AES.wrap(Self.padded(session.encoded), by: wrappingKey) }
        return [OpenPGP.Algorithm.ecdh] + OpenPGP.number([0x40] + ephemeral.publicBytes)
            + OpenPGP.bytes(of: wrapped.count, count: 1) + wrapped
    }

    /// - Parameters:
    ///   - shared: what both sides agreed on.
    ///   - fingerprint: of the recipient's key, 20 bytes.
    func wrappingKey(shared: [UInt8], fingerprint: [UInt8]) -> [UInt8] {
        let parameter =
            OpenPGP.bytes(of: Self.curve.count, count: 1) + Self.curve + [OpenPGP.Algorithm.ecdh]
            + parameters + Array("Anonymous Sender    ".utf8) + fingerprint
        return Array(digest([0, 0, 0, 1] + shared + parameter).prefix(wrappingKeyCount))
    }

    /// RFC 6637 §8: up to the next multiple of 8, each byte of padding says how many there are.
    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        let count = 8 - bytes.count % 8
        return bytes + [UInt8](repeating: UInt8(count), count: count)
    }
}
