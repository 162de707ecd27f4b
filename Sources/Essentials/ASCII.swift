// Letters of protocols are ASCII. The case mappings of Unicode make others equal to them, such as ſ to S and the Kelvin sign to k, so that
// a word could pass for a command, a scheme or a name that it is not.

extension StringProtocol {
    /// With A to Z in lower case and everything else as it is.
    package var asciiLowercased: String { mapped(UInt8(ascii: "A")...UInt8(ascii: "Z")) }

    /// With a to z in upper case and everything else as it is.
    package var asciiUppercased: String { mapped(UInt8(ascii: "a")...UInt8(ascii: "z")) }

    private func mapped(_ letters: ClosedRange<UInt8>) -> String {
        // Most names come as they are wanted.
        guard utf8.contains(where: letters.contains) else { return String(self) }
        return String(unsafeUninitializedCapacity: utf8.count) { bytes in
            // In ASCII the cases of a letter differ in this one bit.
            bytes.initialize(fromContentsOf: utf8.lazy.map { letters.contains($0) ? $0 ^ 0x20 : $0 })
        }
    }
}
