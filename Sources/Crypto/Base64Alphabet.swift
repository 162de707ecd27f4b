/// The arithmetic that the encodings of RFC 4648 §4 and §5 share; they differ in two characters and in padding.
struct Base64Alphabet: Sendable {
    enum Padding {
        case required, allowed, forbidden
    }

    private let characters: [UInt8]
    /// The value of each character, 255 for those outside of the alphabet.
    private let values: [UInt8]
    private static let padding = UInt8(ascii: "=")

    /// - Parameter last: the characters for 62 and 63.
    init(endingIn last: String) {
        characters = Array(
            ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last).utf8)
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in characters.enumerated() { values[Int(character)] = UInt8(value) }
        self.values = values
    }

    /// How many characters `count` bytes are.
    static func textCount(of count: Int, isPadded: Bool) -> Int {
        isPadded ? (count + 2) / 3 * 4 : (count * 4 + 2) / 3
    }

    /// Three bytes are four characters; one or two at the end are two or three, and padding if wanted.
    ///
    /// - Parameter text: has room for ``textCount(of:isPadded:)`` characters.
    /// - Returns: how many were written.
    func encode(_ bytes: [UInt8], to text: UnsafeMutableBufferPointer<UInt8>, isPadded: Bool) -> Int {
        characters.withUnsafeBufferPointer { characters in
            var (place, index) = (0, 0)
            while index + 2 < bytes.count {
                let value = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
                text[place] = characters[value >> 18]
                text[place + 1] = characters[value >> 12 & 63]
                text[place + 2] = characters[value >> 6 & 63]
                text[place + 3] = characters[value & 63]
                place += 4
                index += 3
            }
            if index == bytes.count { return place }
            let isTwo = index + 1 < bytes.count
            let value = Int(bytes[index]) << 8 | (isTwo ? Int(bytes[index + 1]) : 0)
            text[place] = characters[value >> 10]
            text[place + 1] = characters[value >> 4 & 63]
            if isTwo { text[place + 2] = characters[value << 2 & 63] }
            place += isTwo ? 3 : 2
            guard isPadded else { return place }
            for end in place..<(place + (isTwo ? 1 : 2)) { text[end] = Self.padding }
            return place + (isTwo ? 1 : 2)
        }
    }

    /// `nil` for a character outside of the alphabet, for an impossible length, for padding that is not as `padding` says, and
    /// for unused bits that are not zero: each byte string has one spelling.
    func decode(_ text: some StringProtocol, padding: Padding) -> [UInt8]? {
        // Where it lies: to take characters out of text of any kind, one by one, costs more than all the rest.
        if let bytes = text.utf8.withContiguousStorageIfAvailable({ decode($0, padding) }) { return bytes }
        return Array(text.utf8).withUnsafeBufferPointer { decode($0, padding) }
    }

    private func decode(_ text: UnsafeBufferPointer<UInt8>, _ padding: Padding) -> [UInt8]? {
        var characters = text[...]
        if padding == .required, characters.count % 4 != 0 { return nil }
        if padding != .forbidden, characters.count % 4 == 0 {
            for _ in 1...2 where characters.last == Self.padding { characters.removeLast() }
        }
        guard characters.count % 4 != 1 else { return nil }
        var isValid = true
        let bytes = [UInt8](unsafeUninitializedCapacity: characters.count * 3 / 4) { bytes, count in
            var (buffer, bits) = (0, 0)
            for character in characters {
                let value = values[Int(character)]
                isValid = isValid && value != 255
                buffer = buffer << 6 | Int(value)
                bits += 6
                if bits >= 8 {
                    bits -= 8
                    bytes[count] = UInt8(truncatingIfNeeded: buffer >> bits)
                    count += 1
                    buffer &= 255
                }
            }
            isValid = isValid && buffer & (1 << bits - 1) == 0
        }
        return isValid ? bytes : nil
    }
}
