import COpenSSL

/// The hash that the opening of a web socket is made with. It proves nothing about security; nothing else uses it.
package enum SHA1 {
    /// 20 bytes.
    package static func hash(_ bytes: [UInt8]) throws -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
        var length: UInt32 = 0
        ERR_clear_error()
        guard EVP_Digest(bytes, bytes.count, &digest, &length, EVP_sha1(), nil) == 1 else {
            throw SocketError(openSSL: "no SHA-1", call: "EVP_Digest")
        }
        return Array(digest.prefix(Int(length)))
    }
}
