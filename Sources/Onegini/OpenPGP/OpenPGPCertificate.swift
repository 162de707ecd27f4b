import Crypto
package import Essentials

/// The public keys of a device, checked: the key signed its user id, is neither revoked nor expired, and one of its parts
/// encrypts.
///
/// Accepted are keys of version 4, RSA of 2048 to 4096 bits, or Ed25519 with a subkey of Curve25519.
package struct OpenPGPCertificate: Sendable {
    /// The binary form, as it came.
    package let bytes: [UInt8]
    /// Of the primary key, 40 hexadecimal digits in upper case.
    package let fingerprint: String

    /// The newest subkey that encrypts, or else the primary key.
    let encryptionKey: OpenPGP.KeyPacket
    let signingKeys: [OpenPGP.KeyPacket]

    /// - Parameter text: armored, or in base64.
    package init(_ text: String, at now: Date) throws(OpenPGPError) {
        try self.init(Array(text.utf8), at: now)
    }

    /// - Parameters:
    ///   - data: in binary form, in base64, or armored.
    ///   - now: by which expiry is judged.
    package init(_ data: [UInt8], at now: Date) throws(OpenPGPError) {
        bytes = try OpenPGP.Armor.certificate.decode(data)
        let key = try OpenPGP.TransferableKey(bytes)
        let signatures = OpenPGP.SelfSignatures(key: key, now: now)
        let standing = try signatures.newestUponPrimary()
        try Self.checkExpiry(of: key.primary, standing, now)
        fingerprint = Hex.encode(key.primary.fingerprint).uppercased()

        let subkeys = Subkeys(signatures)
        let signers = standing.hasFlag(0x02) && key.primary.material.canSign ? [key.primary] : []
        signingKeys = signers + subkeys.signing
        let canPrimaryEncrypt = standing.hasFlag(0x04 | 0x08) && key.primary.material.canEncrypt
        guard let encryptionKey = subkeys.encryption ?? (canPrimaryEncrypt ? key.primary : nil) else {
            throw subkeys.fault ?? .encryptionKeyMissing
        }
        self.encryptionKey = encryptionKey
    }

    /// With 64 columns and a final newline.
    package var armored: String { OpenPGP.Armor.certificate.encode(bytes) }

    fileprivate static func checkExpiry(
        of key: OpenPGP.KeyPacket, _ signature: OpenPGP.Signature, _ now: Date
    ) throws(OpenPGPError) {
        if let expiry = signature.expiry(of: key), expiry <= now { throw .expired(at: expiry) }
    }
}

extension OpenPGPCertificate {
    /// What the subkeys of a certificate can be used for.
    private struct Subkeys {
        private(set) var encryption: OpenPGP.KeyPacket?
        private(set) var signing: [OpenPGP.KeyPacket] = []
        /// Why a subkey cannot be used; it matters when no other one can.
        private(set) var fault: OpenPGPError?

        init(_ signatures: OpenPGP.SelfSignatures) {
            for part in signatures.key.subkeys {
                do {
                    let binding = try signatures.newestUpon(part)
                    try OpenPGPCertificate.checkExpiry(of: part.subject, binding, signatures.now)
                    add(part.subject, binding, signatures)
                } catch {
                    fault = error
                }
            }
        }

        private mutating func add(
            _ key: OpenPGP.KeyPacket, _ binding: OpenPGP.Signature, _ signatures: OpenPGP.SelfSignatures
        ) {
            if binding.hasFlag(0x02), key.material.canSign, signatures.isAgreed(key, in: binding) {
                signing.append(key)
            }
            guard binding.hasFlag(0x04 | 0x08), key.material.canEncrypt else { return }
            if let other = encryption, other.createdAt > key.createdAt { return }
            encryption = key
        }
    }
}
