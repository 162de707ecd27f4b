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
        String(unsafeUninitializedCapacity: count(of: bytes)) { encode(bytes, to: $0) }
    }

    /// Writes the text behind what is there.
    package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        text += [UInt8](unsafeUninitializedCapacity: count(of: bytes)) { $1 = encode(bytes, to: $0) }
    }

    private static func count(of bytes: [UInt8]) -> Int { (bytes.count * 4 + 2) / 3 }

    /// Three bytes are four characters; one or two at the end are two or three.
    private static func encode(_ bytes: [UInt8], to text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        alphabet.withUnsafeBufferPointer { alphabet in
            var (place, index) = (0, 0)
            while index + 2 < bytes.count {
                let value = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
                text[place] = alphabet[value >> 18]
                text[place + 1] = alphabet[value >> 12 & 63]
                text[place + 2] = alphabet[value >> 6 & 63]
                text[place + 3] = alphabet[value & 63]
                place += 4
                index += 3
            }
            if index == bytes.count { return place }
            let isTwo = index + 1 < bytes.count
            let value = Int(bytes[index]) << 8 | (isTwo ? Int(bytes[index + 1]) : 0)
            text[place] = alphabet[value >> 10]
            text[place + 1] = alphabet[value >> 4 & 63]
            if isTwo { text[place + 2] = alphabet[value << 2 & 63] }
            return place + (isTwo ? 3 : 2)
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
