/// The form of a number in JSON. Source: RFC 8259 §6.
package enum JSONNumber {
    /// Whether all of `text` is one number: `-0.5e+3` is, `01`, `.5`, `1.` and `+1` are not.
    package static func isWellFormed(_ text: String) -> Bool {
        var rest = Substring(text).utf8[...]
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let whole = takeDigits(&rest)
        guard whole == 1 || (whole > 1 && text.utf8.first { $0 != UInt8(ascii: "-") } != UInt8(ascii: "0"))
        else {
            return false
        }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard takeDigits(&rest) > 0 else { return false }
        }
        if let letter = rest.first, [UInt8(ascii: "e"), UInt8(ascii: "E")].contains(letter) {
            rest.removeFirst()
            if let sign = rest.first, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(sign) {
                rest.removeFirst()
            }
            guard takeDigits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func takeDigits(_ rest: inout Substring.UTF8View.SubSequence) -> Int {
        let digits = rest.prefix { 0x30...0x39 ~= $0 }
        rest = rest[digits.endIndex...]
        return digits.count
    }
}
