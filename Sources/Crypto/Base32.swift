/// Bytes in the alphabet of upper-case letters and 2 to 7, without padding. Source: RFC 4648 §6.
package enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var (text, buffer, bits): ([UInt8], UInt32, Int) = ([], 0, 0)
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[Int(buffer >> UInt32(bits)) & 31])
            }
            buffer &= (1 << UInt32(bits)) - 1
        }
        if bits > 0 { text.append(alphabet[Int(buffer << UInt32(5 - bits)) & 31]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// `nil` for other characters, and for a length that no bytes have.
    ///
    /// - Parameter isLenient: takes padding at the end and unused bits that are not zero, as authenticator apps do. Without it
    ///   each byte string has one spelling.
    package static func decode(_ text: String, isLenient: Bool = false) -> [UInt8]? {
        var digits = Array(text.utf8)
        while isLenient, digits.last == UInt8(ascii: "=") { digits.removeLast() }
        guard ![1, 3, 6].contains(digits.count % 8) else { return nil }
        var (bytes, buffer, bits): ([UInt8], UInt32, Int) = ([], 0, 0)
        for digit in digits {
            guard let value = alphabet.firstIndex(of: digit) else { return nil }
            buffer = buffer << 5 | UInt32(value)
            bits += 5
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(buffer >> UInt32(bits)))
            buffer &= (1 << UInt32(bits)) - 1
        }
        return buffer == 0 || isLenient ? bytes : nil
    }
}
