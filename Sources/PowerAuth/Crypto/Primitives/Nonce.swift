import Crypto

/// 16 bytes that are used once, drawn by the sender of a message.
package struct Nonce: Sendable, Hashable {
    package static let count = 16

    package let bytes: [UInt8]

    /// - Throws: ``ProtocolFault`` unless there are 16 bytes.
    package init(_ bytes: [UInt8]) throws {
        guard bytes.count == Self.count else {
            throw ProtocolFault.malformed(part: "nonce", expected: "16 bytes", got: "\(bytes.count) bytes")
        }
        self.bytes = bytes
    }

    /// - Throws: ``ProtocolFault`` unless the text is 16 bytes in Base64.
    package init(base64 text: String) throws {
        bytes = try decodeBase64(text, part: "nonce", count: Self.count, by: WireBase64.decode)
    }

    package var base64: String { Base64.encode(bytes) }
}

/// - Parameter decode: what clients send is taken as leniently as the real server takes it.
/// - Throws: ``ProtocolFault`` unless `text` is Base64, of `count` bytes when that is given.
func decodeBase64(
    _ text: String, part: String, count: Int? = nil, by decode: (String) -> [UInt8]? = { Base64.decode($0) }
) throws -> [UInt8] {
    let expected = (count.map { "\($0) bytes in " } ?? "") + "Base64"
    guard let bytes = decode(text) else {
        throw ProtocolFault.malformed(part: part, expected: expected, got: "other text")
    }
    guard count == nil || bytes.count == count else {
        throw ProtocolFault.malformed(part: part, expected: expected, got: "\(bytes.count) bytes")
    }
    return bytes
}
