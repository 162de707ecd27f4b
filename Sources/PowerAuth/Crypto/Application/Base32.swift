/// The alphabet of RFC 4648 §6, without padding.
enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var (text, buffer, bits): ([UInt8], Int, Int) = ([], 0, 0)
        for byte in bytes {
            buffer = buffer << 8 | Int(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[buffer >> bits & 31])
            }
            buffer &= 1 << bits - 1
        }
        if bits > 0 { text.append(alphabet[buffer << (5 - bits) & 31]) }
        return text
    }

    /// `nil` for other characters, and for unused bits that are not zero.
    static func decode(_ text: String) -> [UInt8]? {
        var (bytes, buffer, bits): ([UInt8], Int, Int) = ([], 0, 0)
        for character in text.utf8 {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            buffer = buffer << 5 | value
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
            }
            buffer &= 1 << bits - 1
        }
        return buffer == 0 && bits < 5 ? bytes : nil
    }
}
