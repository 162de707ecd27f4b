/// Bytes in the standard alphabet with padding. Source: RFC 4648 §4.
package enum Base64 {
    private static let alphabet = Base64Alphabet(endingIn: "+/")

    package static func encode(_ bytes: [UInt8]) -> String {
        let count = Base64Alphabet.textCount(of: bytes.count, isPadded: true)
        return String(unsafeUninitializedCapacity: count) { alphabet.encode(bytes, to: $0, isPadded: true) }
    }

    /// `nil` for a character outside of the alphabet, for missing or surplus padding, and for unused bits that are not
    /// zero: each byte string has one spelling.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        alphabet.decode(text, padding: .required)
    }
}
