import Crypto

/// A salt and what comes of it and a secret.
struct SaltedDigest: Sendable, Equatable {
    /// 16 bytes.
    let salt: [UInt8]
    /// SHA-256.
    let digest: [UInt8]

    init(salt: [UInt8], digest: [UInt8]) { (self.salt, self.digest) = (salt, digest) }

    init(of secret: String, salt: [UInt8]) {
        self.init(salt: salt, digest: Digest.sha256(salt + Array(secret.utf8)))
    }

    func matches(_ secret: String) -> Bool {
        constantTimeEqual(digest, Digest.sha256(salt + Array(secret.utf8)))
    }
}
