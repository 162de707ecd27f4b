import COpenSSL

/// A key that verifies.
package struct PublicKey: Sendable, Equatable {
    let handle: KeyHandle

    package var kind: KeyKind { handle.kind }

    init(_ handle: KeyHandle) {
        self.handle = handle
    }

    /// Reads `-----BEGIN PUBLIC KEY-----`.
    package init(pem: String) throws {
        handle = try KeyHandle.reading(Array(pem.utf8)) { bio in
            try require(PEM_read_bio_PUBKEY(bio, nil, refusePassword, nil), "PEM_read_bio_PUBKEY")
        }
    }

    /// Reads the DER form of a SubjectPublicKeyInfo. Source: RFC 5280 §4.1.
    package init(der: [UInt8]) throws {
        handle = try KeyHandle.reading(der) { bio in
            try require(d2i_PUBKEY_bio(bio, nil), "d2i_PUBKEY")
        }
    }

    /// `-----BEGIN PUBLIC KEY-----`, with a final newline.
    package func pem() throws -> String {
        let bytes = try KeyHandle.writing { bio in
            try require(PEM_write_bio_PUBKEY(bio, handle.pointer), "PEM_write_bio_PUBKEY")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The DER form of a SubjectPublicKeyInfo.
    package func der() throws -> [UInt8] {
        try KeyHandle.writing { bio in
            try require(i2d_PUBKEY_bio(bio, handle.pointer), "i2d_PUBKEY")
        }
    }

    package static func == (one: PublicKey, other: PublicKey) -> Bool {
        EVP_PKEY_eq(one.handle.pointer, other.handle.pointer) == 1
    }
}

/// Answers OpenSSL's question for the password of an encrypted key, which it would ask on the terminal.
let refusePassword:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32 =
        { _, _, _, _ in -1 }
