import Crypto

/// The text of an opaque token or code: 32 random bytes as 64 hex digits in upper case. RFC 6749 §10.10 asks for 128 bits at least.
enum Handle {
    static let byteCount = 32
    private static let digits = Array("0123456789ABCDEF".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { text in
            for (index, byte) in bytes.enumerated() {
                text[2 * index] = digits[Int(byte >> 4)]
                text[2 * index + 1] = digits[Int(byte & 15)]
            }
            return bytes.count * 2
        }
    }

    /// Under which the server keeps what it does not keep itself.
    static func digest(_ text: String) -> [UInt8] { Digest.sha256(Array(text.utf8)) }
}

extension AuthorizationServer {
    /// A new opaque text, for a purpose such as `code`.
    func handle(for purpose: String) -> String { Handle.text(bytes(Handle.byteCount, for: purpose)) }
}
