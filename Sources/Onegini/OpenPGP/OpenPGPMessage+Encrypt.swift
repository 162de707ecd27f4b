import Crypto

extension OpenPGPMessage {
    /// Encrypts `plaintext` by AES-256 to a device, without a signature. The answer is in binary form.
    ///
    /// - Parameter entropy: gives as many bytes of chance as it is asked for.
    package static func encrypt(
        _ plaintext: [UInt8], to certificate: OpenPGPCertificate, entropy: (Int) -> [UInt8]
    ) throws(OpenPGPError) -> [UInt8] {
        guard plaintext.count <= OpenPGP.maximumPlaintext else {
            throw .tooLarge(bytes: plaintext.count, limit: OpenPGP.maximumPlaintext)
        }
        let session = OpenPGP.SessionKey(cipher: .aes256, key: entropy(OpenPGP.Cipher.aes256.keyCount))
        let key = certificate.encryptionKey
        let head: [UInt8]
        switch key.material {
        case .rsa(let publicKey): head = try encrypted(session, to: publicKey)
        case .curve25519(let material):
            let ephemeral = try OpenPGP.compute { try AgreementKey(entropy(32)) }
            head = try material.encrypted(session, fingerprint: key.fingerprint, by: ephemeral)
        case .ed25519: throw .encryptionKeyMissing
        }
        let body = try OpenPGP.ProtectedData.seal(literal(plaintext).encoded, session, prefix: entropy(16))
        return OpenPGP.Packet(tag: OpenPGP.Tag.encryptedSessionKey, body: [3] + key.keyID + head).encoded
            + OpenPGP.Packet(tag: OpenPGP.Tag.protected, body: body).encoded
    }

    /// The algorithm and the session key as it is sent. Source: RFC 4880 §5.1.
    private static func encrypted(
        _ session: OpenPGP.SessionKey, to key: PublicKey
    ) throws(OpenPGPError) -> [UInt8] {
        let encrypted = try OpenPGP.compute { try key.encryptPKCS1(session.encoded) }
        return [OpenPGP.Algorithm.rsa] + OpenPGP.number(encrypted)
    }
}
