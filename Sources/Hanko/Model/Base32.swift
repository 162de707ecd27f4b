/// Base32 as authenticator apps write secrets: without padding. Source: RFC 4648 §6.
enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
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

    /// Nil for anything but the alphabet in upper case, and for a length that no bytes have. Padding at the end is accepted.
    static func decode(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed())
        guard !digits.isEmpty, ![1, 3, 6].contains(digits.count % 8) else { return nil }
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
        return bytes
    }
}
