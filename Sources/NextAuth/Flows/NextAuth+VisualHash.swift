import Crypto
import PlatformKit

extension NextAuth {
    /// The picture of a server's key as the device protocol sends it, drawn once: PNG in base64url.
    func visualHash(of server: Server) throws -> String {
        let picture = VisualHash(of: server.publicKey)
        return try services.memo.value("nextauth.vash.\(picture.fingerprint)") {
            Base64URL.encode(try picture.png(side: 160))
        }
    }
}
