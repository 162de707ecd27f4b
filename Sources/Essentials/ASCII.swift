// Letters of protocols are ASCII. The case mappings of Unicode make others equal to them, such as ſ to S and the Kelvin sign to k, so that
// a word could pass for a command, a scheme or a name that it is not.

extension StringProtocol {
    /// With A to Z in lower case and everything else as it is.
    package var asciiLowercased: String { mapped(UInt8(ascii: "A")...UInt8(ascii: "Z")) }

    /// With a to z in upper case and everything else as it is.
    package var asciiUppercased: String { mapped(UInt8(ascii: "a")...UInt8(ascii: "z")) }

    private func mapped(_ letters: ClosedRange<UInt8>) -> String {
        // In ASCII the cases of a letter differ in this one bit.
        String(decoding: utf8.map { letters.contains($0) ? $0 ^ 0x20 : $0 }, as: UTF8.self)
    }
}
