import Crypto

/// What the secrets of one registration are made for: an M-Pin id, and the public key if the client owns a key pair.
struct MPinIdentity: Sendable, Equatable {
    /// SHA-256 of the id, followed by the public key if there is one.
    let hash: [UInt8]
    let publicKey: G2Point?
    /// The point that the hash is mapped to.
    let point: G1Point

    /// - Parameter id: the M-Pin id as bytes, not as hexadecimal text.
    init(_ id: [UInt8], publicKey: G2Point? = nil) {
        hash = Digest.sha256(id + (publicKey?.bytes ?? []))
        self.publicKey = publicKey
        point = G1Point(mapping: hash)
    }

    /// The point of a time permit.
    ///
    /// - Parameter day: days since 1970-01-01 UTC.
    func permitPoint(day: UInt32) -> G1Point {
        G1Point(mapping: Digest.sha256(bigEndian(day) + hash))
    }
}

func bigEndian(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
}
