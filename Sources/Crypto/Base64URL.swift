/// Bytes in the alphabet that is safe in URLs, without padding. Source: RFC 4648 §5, RFC 7515 §2.
package enum Base64URL {
    private static let alphabet = Base64Alphabet(endingIn: "-_")

    package static func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: count(of: bytes)) {
            alphabet.encode(bytes, to: $0, isPadded: false)
        }
    }

    /// Writes the text behind what is there.
    package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        text += [UInt8](unsafeUninitializedCapacity: count(of: bytes)) {
            $1 = alphabet.encode(bytes, to: $0, isPadded: false)
        }
    }

    private static func count(of bytes: [UInt8]) -> Int {
        Base64Alphabet.textCount(of: bytes.count, isPadded: false)
    }

    /// `nil` for a character outside of the alphabet, for padding unless allowed, for an impossible length, and
    /// for unused bits that are not zero: each byte string has one spelling.
    package static func decode(_ text: some StringProtocol, allowingPadding: Bool = false) -> [UInt8]? {
        alphabet.decode(text, padding: allowingPadding ? .allowed : .forbidden)
    }
}
