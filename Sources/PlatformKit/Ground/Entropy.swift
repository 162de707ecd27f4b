import Crypto

/// Random bytes, drawn for a named purpose.
///
/// Each purpose has its own stream, so a new draw in one place never shifts the values of another: fixtures and recorded
/// tests of a seeded run stay valid.
package struct Entropy: Sendable {
    /// - Parameters: the byte count and the purpose, such as `"acme.code"`.
    package var bytes: @Sendable (Int, String) -> [UInt8]

    package init(bytes: @escaping @Sendable (Int, String) -> [UInt8]) { self.bytes = bytes }

    /// The operating system's generator.
    package static let system = Entropy { count, _ in
        var generator = SystemRandomNumberGenerator()
        // Eight bytes of each number: every number is a call of the system.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            withUnsafeBytes(of: generator.next() as UInt64) {
                bytes.append(contentsOf: $0.prefix(count - bytes.count))
            }
        }
        return bytes
    }

    /// `count` decimal digits, each of the ten equally likely.
    package func digits(_ count: Int, for purpose: String) -> String {
        var digits = ""
        while digits.utf8.count < count {
            // 250 is the largest multiple of 10 that a byte holds; what lies above would favour small digits.
            for byte in bytes(count, purpose) where byte < 250 && digits.utf8.count < count {
                digits += String(byte % 10)
            }
        }
        return digits
    }

    /// 16 lower-case hex digits.
    package func identifier(for purpose: String) -> String { Hex.encode(bytes(8, purpose)) }

    /// A version 4 UUID in lower case.
    package func uuid(for purpose: String) -> String { Self.uuid(of: bytes(16, purpose)) }

    /// A version 4 UUID in lower case, made of the first 16 of `bytes`, of which there must be so many. Source: RFC 9562 §5.4.
    package static func uuid(of bytes: [UInt8]) -> String {
        var bytes = Array(bytes.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var digits = Hex.encode(bytes)
        return digits.withUTF8 { digits in
            String(unsafeUninitializedCapacity: 36) { uuid in
                var place = 0
                for (index, digit) in digits.enumerated() {
                    if 8...20 ~= index, index & 3 == 0 {
                        uuid[place] = UInt8(ascii: "-")
                        place += 1
                    }
                    uuid[place] = digit
                    place += 1
                }
                return place
            }
        }
    }
}
