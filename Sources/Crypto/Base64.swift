/// Bytes in the standard alphabet with padding. Source: RFC 4648 §4.
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The value of each character, 255 for those outside of the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    package static func encode(_ bytes: [UInt8]) -> String {
        let count = (bytes.count + 2) / 3 * 4
        return String(unsafeUninitializedCapacity: count) { text in
            alphabet.withUnsafeBufferPointer { encode(bytes, $0, to: text) }
            return count
        }
    }

    /// Three bytes are four characters; one or two at the end are filled up with padding.
    private static func encode(
        _ bytes: [UInt8], _ alphabet: UnsafeBufferPointer<UInt8>, to text: UnsafeMutableBufferPointer<UInt8>
    ) {
        var place = 0
        for index in stride(from: 0, to: bytes.count, by: 3) {
            let rest = bytes.count - index
            let (second, third) = (rest > 1 ? bytes[index + 1] : 0, rest > 2 ? bytes[index + 2] : 0)
            let value = Int(bytes[index]) << 16 | Int(second) << 8 | Int(third)
            text[place] = alphabet[value >> 18]
            text[place + 1] = alphabet[value >> 12 & 63]
            text[place + 2] = rest > 1 ? alphabet[value >> 6 & 63] : UInt8(ascii: "=")
            text[place + 3] = rest > 2 ? alphabet[value & 63] : UInt8(ascii: "=")
            place += 4
        }
    }

    /// `nil` for a character outside of the alphabet, for missing or surplus padding, and for unused bits that are not
    /// zero: each byte string has one spelling.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var characters = Array(text.utf8)[...]
        guard characters.count % 4 == 0 else { return nil }
        for _ in 1...2 where characters.last == UInt8(ascii: "=") { characters.removeLast() }
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
