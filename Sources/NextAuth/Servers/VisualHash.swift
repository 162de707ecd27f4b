import Crypto
import PlatformKit
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

extension World {
    /// The picture of a server's key as the device protocol sends it, drawn once: PNG in base64url.
    func visualHash(of server: Server) throws -> String {
        let picture = VisualHash(of: server.publicKey)
        return try services.memo.value("nextauth.vash.\(picture.fingerprint)") {
            Base64URL.encode(try picture.png(side: 160))
        }
    }
}
