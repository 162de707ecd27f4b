// Letters of protocols are ASCII. The case mappings of Unicode make others equal to them, such as ſ to S and the Kelvin sign to k, so that
// a word could pass for a command, a scheme or a name that it is not.

extension StringProtocol {
    /// With A to Z in lower case and everything else as it is.
    package var asciiLowercased: String { mapped(UInt8(ascii: "A")...UInt8(ascii: "Z")) }

    /// With a to z in upper case and everything else as it is.
    package var asciiUppercased: String { mapped(UInt8(ascii: "a")...UInt8(ascii: "z")) }

    private func mapped(_ letters: ClosedRange<UInt8>) -> String {
        var text = String(self)
        let (first, last) = (letters.lowerBound, letters.upperBound)
        return text.withUTF8 { bytes in
            // Most names come as they are wanted.
            guard bytes.contains(where: { first <= $0 && $0 <= last }) else { return nil }
            return String(unsafeUninitializedCapacity: bytes.count) { mapped in
                // In ASCII the cases of a letter differ in this one bit.
                for (index, byte) in bytes.enumerated() {
                    mapped.initializeElement(
                        at: index, to: first <= byte && byte <= last ? byte ^ 0x20 : byte)
                }
                return bytes.count
            }
        } ?? text
    }
}

extension UInt8 {
    /// 0 to 15 of a hexadecimal digit in either case; nil for anything else.
    package var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
