/// What both sides of an HPKE context in base mode can export, over a curve with its own hash, without any message: the AEAD is “export
/// only”. Source: RFC 9180 §4.1, §5.1.1, §5.3.
package struct HPKE: Sendable {
    /// P-256 with SHA-256, P-384 with SHA-384, P-521 with SHA-512. Source: RFC 9180 §7.1 and §7.2.
    package let curve: Curve

    package init(_ curve: Curve) { self.curve = curve }

    /// The sender's side: what the owner of a key has to be told, and the secret.
    ///
    /// - Parameters:
    ///   - ephemeral: a key pair for this exchange alone.
    ///   - count: bytes of the secret.
    /// - Throws: when a key is of another curve.
    package func send(
        to recipient: CurvePoint, ephemeral: PrivateKey, info: [UInt8], exporting context: [UInt8], count: Int
    ) throws -> (encapsulated: [UInt8], secret: [UInt8]) {
        let encapsulated = try ephemeral.publicKey.x962()
        let shared = try SecretScalar(ephemeral).sharedSecret(with: recipient)
        let secret = try export(
            sharedSecret(shared, encapsulated, recipient.x962), info: info, context, count)
        return (encapsulated, secret)
    }

    /// The side of the key's owner.
    ///
    /// - Throws: when a key is of another curve.
    package func receive(
        _ encapsulated: CurvePoint, by recipient: PrivateKey, info: [UInt8], exporting context: [UInt8],
        count: Int
    ) throws -> [UInt8] {
        let shared = try SecretScalar(recipient).sharedSecret(with: encapsulated)
        return try export(
            sharedSecret(shared, encapsulated.x962, recipient.publicKey.x962()), info: info, context, count)
    }

    private var digest: Digest {
        switch curve {
        case .p256: .sha256
        case .p384: .sha384
        case .p521: .sha512
        }
    }

    private var kem: [UInt8] {
        switch curve {
        case .p256: [0, 0x10]
        case .p384: [0, 0x11]
        case .p521: [0, 0x12]
        }
    }

    private var kemSuite: [UInt8] { Array("KEM".utf8) + kem }

    private var suite: [UInt8] {
        let kdf: UInt8 =
            switch curve {
            case .p256: 1
            case .p384: 2
            case .p521: 3
            }
        return Array("HPKE".utf8) + kem + [0, kdf, 0xFF, 0xFF]
    }

    /// `ExtractAndExpand`
    private func sharedSecret(
        _ product: [UInt8], _ encapsulated: [UInt8], _ recipient: [UInt8]
    ) throws -> [UInt8] {
        let key = extract([], kemSuite, "eae_prk", product)
        return try expand(key, kemSuite, "shared_secret", encapsulated + recipient, digest.count)
    }

    /// `KeySchedule` as far as the exporter goes, and `Export`
    private func export(
        _ shared: [UInt8], info: [UInt8], _ context: [UInt8], _ count: Int
    ) throws -> [UInt8] {
        let schedule = [0] + extract([], suite, "psk_id_hash", []) + extract([], suite, "info_hash", info)
        let secret = extract(shared, suite, "secret", [])
        let exporter = try expand(secret, suite, "exp", schedule, digest.count)
        return try expand(exporter, suite, "sec", context, count)
    }

    /// `LabeledExtract`
    private func extract(
        _ salt: [UInt8], _ suite: [UInt8], _ label: String, _ secret: [UInt8]
    ) -> [UInt8] {
        KeyDerivation.hkdfExtract(
            digest, salt: salt, secret: Array("HPKE-v1".utf8) + suite + Array(label.utf8) + secret)
    }

    /// `LabeledExpand`
    private func expand(
        _ key: [UInt8], _ suite: [UInt8], _ label: String, _ info: [UInt8], _ count: Int
    ) throws -> [UInt8] {
        let size = [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
        return try KeyDerivation.hkdfExpand(
            digest, key: key, info: size + Array("HPKE-v1".utf8) + suite + Array(label.utf8) + info,
            count: count
        )
    }
}
