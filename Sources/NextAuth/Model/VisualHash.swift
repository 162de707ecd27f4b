import Crypto
import QRCode

/// A picture of a server's key, by which a user may know the server again. The vendor's drawing is not public; ours is a small QR
/// code of the key's fingerprint, which is at least as hard to confuse.
struct VisualHash: Sendable {
    /// The first eight bytes of SHA-256, hexadecimal.
    let fingerprint: String

    init(of publicKey: String) {
        fingerprint = Hex.encode(Digest.sha256(Array(publicKey.utf8)).prefix(8))
    }

    /// The picture, `side` pixels wide and high.
    func png(side: Int) throws -> [UInt8] { try QRCode(text: fingerprint).png(side: side) }
}
