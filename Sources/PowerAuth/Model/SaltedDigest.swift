import Crypto

/// A salt and what comes of it and a secret.
struct SaltedDigest: Sendable, Equatable {
    /// 16 bytes.
    let salt: [UInt8]
    /// SHA-256.
    let digest: [UInt8]

    init(of secret: String, salt: [UInt8]) {
        (self.salt, digest) = (salt, Digest.sha256(salt + Array(secret.utf8)))
    }

    func matches(_ secret: String) -> Bool {
        constantTimeEqual(digest, Digest.sha256(salt + Array(secret.utf8)))
    }
}

/// Both in hexadecimal with a colon between them.
extension SaltedDigest: RawRepresentable, Codable {
    init?(rawValue: String) {
        let parts = rawValue.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let salt = Hex.decode(String(parts[0])),
            let digest = Hex.decode(String(parts[1])), digest.count == 32
        else { return nil }
        (self.salt, self.digest) = (salt, digest)
    }

    var rawValue: String { Hex.encode(salt) + ":" + Hex.encode(digest) }
}
