package import Crypto
package import Essentials

/// The server's keys, RSA both: one that certifies, one that devices encrypt to. Source: RFC 4880 §11.1.
///
/// The same keys, time and user id make the same certificate, byte for byte.
package struct OpenPGPServerKey: Sendable {
    package static let defaultUserID = "Understudy Token Server <token-server@localhost>"

    /// The certificate in binary form.
    package let certificate: [UInt8]
    /// Of the primary key, 40 hexadecimal digits in upper case.
    package let fingerprint: String

    let encryptionKey: PrivateKey
    let encryptionKeyID: [UInt8]

    /// - Parameters:
    ///   - primary: certifies; at least 2048 bits.
    ///   - encryption: decrypts; at least 2048 bits.
    ///   - createdAt: whole seconds count. It should be in the past of every device: GnuPG does not use keys from the future.
    package init(
        primary: PrivateKey, encryption: PrivateKey, createdAt: Date, userID: String = defaultUserID
    ) throws(OpenPGPError) {
        guard let seconds = UInt32(exactly: createdAt.timeIntervalSince1970.rounded(.down)) else {
            throw .malformed("a key cannot be created before 1970 or after 2106")
        }
        let key = try OpenPGP.KeyPacket(rsa: primary.publicKey, createdAt: seconds)
        let subkey = try OpenPGP.KeyPacket(rsa: encryption.publicKey, createdAt: seconds)
        let writer = CertificateWriter(key: key, secret: primary, createdAt: seconds)
        certificate = try writer.certificate(userID: Array(userID.utf8), subkey: subkey)
        fingerprint = Hex.encode(key.fingerprint).uppercased()
        encryptionKey = encryption
        encryptionKeyID = subkey.keyID
    }

    /// With 64 columns and a final newline.
    package var armored: String { OpenPGP.Armor.certificate.encode(certificate) }
}

extension OpenPGPServerKey {
    private struct CertificateWriter {
        let key: OpenPGP.KeyPacket
        let secret: PrivateKey
        let createdAt: UInt32

        func certificate(userID: [UInt8], subkey: OpenPGP.KeyPacket) throws(OpenPGPError) -> [UInt8] {
            let userIDHead = [0xB4] + OpenPGP.bytes(of: userID.count, count: 4)
            let certification = try signature(
                0x13, of: key.hashed + userIDHead + userID,
                [
                    // May certify and sign.
                    (.keyFlags, [0x03]),
                    (.preferredCiphers, [9, 8, 7]),
                    (.preferredHashes, [8, 10]),
                    // None: what devices send is short, and need not be inflated here.
                    (.preferredCompression, [0]),
                    // An integrity check, and nothing newer.
                    (.features, [0x01]),
                ])
            let binding = try signature(0x18, of: key.hashed + subkey.hashed, [(.keyFlags, [0x0C])])
            let packets: [(UInt8, [UInt8])] = [
                (OpenPGP.Tag.publicKey, key.body), (OpenPGP.Tag.userID, userID),
                (OpenPGP.Tag.signature, certification), (OpenPGP.Tag.publicSubkey, subkey.body),
                (OpenPGP.Tag.signature, binding),
            ]
            return packets.flatMap { OpenPGP.Packet(tag: $0, body: $1).encoded }
        }

        private func signature(
            _ kind: UInt8, of content: [UInt8], _ claims: [(kind: OpenPGP.Subpackets.Kind, value: [UInt8])]
        ) throws(OpenPGPError) -> [UInt8] {
            let created = (
                kind: OpenPGP.Subpackets.Kind.created, value: OpenPGP.bytes(of: Int(createdAt), count: 4)
            )
            return try OpenPGP.Signature.make(
                kind, of: content,
                hashed: .init([created] + claims + [(.issuerFingerprint, [4] + key.fingerprint)]),
                unhashed: .init([(.issuer, key.keyID)]), by: secret)
        }
    }
}
