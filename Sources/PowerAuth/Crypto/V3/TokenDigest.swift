import Crypto

/// The digest that shows possession of a token.
enum TokenDigest {
    /// - Parameter parts: decimal milliseconds and, in later versions, the version.
    static func compute(_ secret: TokenSecret, _ nonce: Nonce, _ parts: String...) -> [UInt8] {
        let text = parts.map { "&" + $0 }.joined()
        return Digest.sha256.authenticationCode(of: nonce.bytes + Array(text.utf8), key: secret.key.bytes)
    }
}
