import HTTP

// The sentence of the journal in the answer itself, for those who ask for it.
extension Request {
    /// Whether the answer shall say what the journal says of it: `X-Understudy-Explain: 1`.
    var asksForExplanation: Bool { headers["X-Understudy-Explain"] == "1" }
}

extension Response {
    private static let field = "X-Understudy-Explanation"
    /// Characters of it; clients bear only so much of a field.
    private static let limit = 1000

    /// Says why in `X-Understudy-Explanation`, in ASCII and on one line; where that is not all of it, `X-Understudy-Explanation*` has it
    /// as RFC 8187 §3.2 writes texts.
    mutating func explain(_ explanation: String) {
        let line = String(explanation.prefix(Self.limit).map { $0.isNewline ? " " : $0 })
        let plain = line.plainASCII
        headers[Self.field] = plain
        if plain != line { headers[Self.field + "*"] = "UTF-8''" + line.percentEncodedForFields }
    }
}

extension String {
    /// With look-alikes for quotation marks and dashes, and a question mark for whatever has none.
    fileprivate var plainASCII: String {
        String(
            map { character in
                switch character {
                case "“", "”", "\u{AB}", "\u{BB}": "\""
                case "‘", "’": "'"
                case "–", "—": "-"
                case "…": "."
                default: character.isASCII && !character.isControl ? character : "?"
                }
            })
    }

    /// Source: RFC 8187 §3.2.1, `attr-char`.
    fileprivate var percentEncodedForFields: String {
        utf8.reduce(into: "") { text, byte in
            let isPlain =
                0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
                || "!#$&+-.^_`|~".utf8.contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            text += isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
        }
    }
}

extension Character {
    fileprivate var isControl: Bool { asciiValue.map { $0 < 0x20 || $0 == 0x7F } ?? false }
}
