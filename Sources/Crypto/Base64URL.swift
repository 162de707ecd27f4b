/// Bytes in the alphabet that is safe in URLs, without padding. Source: RFC 4648 §5, RFC 7515 §2.
package enum Base64URL {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The value of each character, 255 for those outside of the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    package static func encode(_ bytes: [UInt8]) -> String {
        let count = (bytes.count * 4 + 2) / 3
        return String(unsafeUninitializedCapacity: count) { text in
            var (place, buffer, bits) = (0, 0, 0)
            for byte in bytes {
                buffer = buffer << 8 | Int(byte)
                bits += 8
                while bits >= 6 {
                    bits -= 6
                    text[place] = alphabet[buffer >> bits & 63]
                    place += 1
                }
                buffer &= 63
            }
            if bits > 0 { text[place] = alphabet[buffer << (6 - bits) & 63] }
            return count
        }
    }

    /// `nil` for a character outside of the alphabet, for padding unless allowed, for an impossible length, and
    /// for unused bits that are not zero: each byte string has one spelling.
    package static func decode(_ text: some StringProtocol, allowingPadding: Bool = false) -> [UInt8]? {
        var characters = Array(text.utf8)[...]
        if allowingPadding, characters.count % 4 == 0 {
            for _ in 1...2 where characters.last == UInt8(ascii: "=") { characters.removeLast() }
        }
        guard characters.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count * 3 / 4)
        var (buffer, bits) = (0, 0)
        for character in characters {
            let value = values[Int(character)]
            if value == 255 { return nil }
            buffer = buffer << 6 | Int(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
                buffer &= 255
            }
        }
        return buffer & (1 << bits - 1) == 0 ? bytes : nil
    }
}
