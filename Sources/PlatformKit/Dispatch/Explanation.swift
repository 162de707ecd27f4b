package import HTTP

// The sentence of the journal in the answer itself, for those who ask for it.
extension Request {
    private static let field = "X-Understudy-Explain"

    /// Whether the answer shall say what the journal says of it: `X-Understudy-Explain: 1`. The journal is not for everybody: where a
    /// control token is asked for, the field has it as its value, since `Authorization` belongs to the platform.
    func asksForExplanation(_ token: ControlToken) -> Bool {
        guard let value = headers[Self.field] else { return false }
        return token.isAsked && token.isToken(value) || value == "1" && token.verdict(on: self) == .right
    }

    /// As the journal keeps them, which may be handed to others as a file: without the control token, wherever it stands.
    func keptHeaders(_ token: ControlToken) -> Headers {
        guard token.isAsked else { return headers }
        var kept = Headers()
        for field in headers.fields {
            let asksByToken = field.name.equalsIgnoringCase(Self.field) && token.isToken(field.value)
            kept.add(field.name, asksByToken ? "1" : token.hidden(in: field.value))
        }
        return kept
    }
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
        if plain != line { headers[Self.field + "*"] = Self.charset + line.percentEncodedForFields }
    }

    /// Source: RFC 8187 §3.2.1, `charset` and an empty `language`.
    private static let charset = "UTF-8''"

    /// What ``explain(_:)`` said in an answer that came over the wire: all of it, where a field has all.
    package var toldExplanation: String? {
        guard let whole = headers[Self.field + "*"], whole.hasPrefix(Self.charset) else {
            return headers[Self.field]
        }
        return whole.dropFirst(Self.charset.count).percentDecoded
    }
}

extension String {
    /// With look-alikes for quotation marks and dashes, words for the signs of our sentences, and a question mark for whatever has
    /// neither. A field of HTTP is visible ASCII, RFC 9110 §5.5: what else it holds, clients read as Latin-1, or not at all.
    fileprivate var plainASCII: String {
        map { character in
            switch character {
            case "“", "”", "\u{AB}", "\u{BB}": "\""
            case "‘", "’": "'"
            case "–", "—", "−": "-"
            case "…": "..."
            case "§": "section "
            case "×": "x"
            case "→": "->"
            case "≤": "<="
            case "≥": ">="
            case "·", "•": "*"
            case "\u{A0}", "\u{2009}", "\u{202F}": " "
            default: character.isASCII && !character.isControl ? String(character) : "?"
            }
        }.joined().replacing("section  ", with: "section ")
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
