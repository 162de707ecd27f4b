import HTTP

/// Writes pairs as `application/x-www-form-urlencoded`. Source: WHATWG URL §5.2.
enum FormText {
    static func encode(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
    }

    /// `%20` for a space, which is right in a query and in a fragment too.
    static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Source: RFC 3986 §2.3.
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
