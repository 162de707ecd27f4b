import Crypto

/// Base64 as the decoder of the real server takes it: unused bits may be any, and the padding may be left out as a whole. The
/// vendor's article prints a header whose code has such bits.
///
/// Source: documentation of Java's `Base64.Decoder`.
enum WireBase64 {
    static func decode(_ text: String) -> [UInt8]? {
        if let bytes = Base64.decode(text) { return bytes }
        var characters = Array(text.utf8)
        if characters.count % 4 == 0 {
            for _ in 1...2 where characters.last == UInt8(ascii: "=") { characters.removeLast() }
        }
        // Of the last character, two or four bits belong to no byte.
        let unused: Int
        switch characters.count % 4 {
        case 2: unused = 16
        case 3: unused = 4
        default: return nil
        }
        guard let last = characters.last, let value = alphabet.firstIndex(of: last) else { return nil }
        characters[characters.count - 1] = alphabet[value / unused * unused]
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: 4 - characters.count % 4)
        return Base64.decode(String(decoding: characters + padding, as: UTF8.self))
    }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
