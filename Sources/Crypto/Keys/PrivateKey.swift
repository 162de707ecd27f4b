import COpenSSL

/// A key that signs.
package struct PrivateKey: Sendable, Equatable {
    let handle: KeyHandle
    package let publicKey: PublicKey

    package var kind: KeyKind { handle.kind }

    init(_ handle: KeyHandle) throws {
        self.handle = handle
        publicKey = try Self.publicHalf(of: handle)
    }

    init(_ handle: KeyHandle, publicKey: PublicKey) {
        self.handle = handle
        self.publicKey = publicKey
    }

    /// Reads `-----BEGIN PRIVATE KEY-----`, `-----BEGIN RSA PRIVATE KEY-----` or `-----BEGIN EC PRIVATE KEY-----`,
    /// not encrypted.
    package init(pem: String) throws {
        let handle = try KeyHandle.reading(Array(pem.utf8)) { bio in
            try require(PEM_read_bio_PrivateKey(bio, nil, refusePassword, nil), "PEM_read_bio_PrivateKey")
        }
        try checkSize(handle)
        try self.init(handle)
    }

    /// `-----BEGIN PRIVATE KEY-----` (PKCS#8), with a final newline.
    package func pem() throws -> String {
        let bytes = try KeyHandle.writing { bio in
            try require(
                PEM_write_bio_PKCS8PrivateKey(bio, handle.pointer, nil, nil, 0, refusePassword, nil),
                "PEM_write_bio_PKCS8PrivateKey")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    package static func == (one: PrivateKey, other: PrivateKey) -> Bool {
        one.publicKey == other.publicKey
    }

    private static func publicHalf(of handle: KeyHandle) throws -> PublicKey {
        let der = try KeyHandle.writing { bio in
            try require(i2d_PUBKEY_bio(bio, handle.pointer), "i2d_PUBKEY")
        }
        return try PublicKey(der: der)
    }
}
