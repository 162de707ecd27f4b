/// A value with parameters: `Content-Type`, `Content-Disposition`. Source: RFC 2045 §5.1; RFC 2231 §3, §4.
struct MIMEParameters {
    private static let most = 200

    /// In lower case, such as `text/plain` or `attachment`.
    let value: String
    private var given: [String: String] = [:]

    init(_ text: String) {
        var rest = Substring(text)
        value = Self.clean(rest.prefix { $0 != ";" }).lowercased()
        rest = rest.dropFirst(rest.prefix { $0 != ";" }.count)
        while rest.first == ";", given.count < Self.most {
            rest = rest.dropFirst()
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(name.count)
            guard rest.first == "=" else { continue }
            let (value, behind) = Self.value(rest.dropFirst())
            let key = Self.clean(name).lowercased()
            if given[key] == nil { given[key] = value }
            rest = behind
        }
    }

    /// The parameter, from all of its pieces; nil when it is not there.
    subscript(_ name: String) -> String? {
        if let whole = given[name + "*"] { return Self.extended(whole) }
        if given[name + "*0*"] != nil || given[name + "*0"] != nil { return joined(name) }
        // Against RFC 2047 §5, and what most programs write.
        return given[name].map { EncodedText.decoded($0) }
    }

    /// `name*0*=utf-8''a%20; name*1=b`. Source: RFC 2231 §4.1.
    private func joined(_ name: String) -> String {
        var (charset, bytes) = (Charset.utf8, [UInt8]())
        for number in 0..<Self.most {
            if let piece = given["\(name)*\(number)*"] {
                let (found, escaped) = number == 0 ? Self.split(piece) : (nil, piece)
                charset = found ?? charset
                bytes += Self.unescaped(escaped)
            } else if let piece = given["\(name)*\(number)"] {
                bytes += piece.utf8
            } else {
                break
            }
        }
        var isDamaged = false
        return charset.text(bytes[...], &isDamaged)
    }

    /// `charset'language'text` with percent signs.
    private static func extended(_ text: String) -> String {
        let (charset, escaped) = split(text)
        var isDamaged = false
        return (charset ?? .utf8).text(unescaped(escaped)[...], &isDamaged)
    }

    private static func split(_ text: String) -> (Charset?, String) {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 ? (Charset(String(parts[0])), String(parts[2])) : (nil, text)
    }

    private static func unescaped(_ text: String) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(TransferEncoding.hex),
                let low = rest.dropFirst().first.flatMap(TransferEncoding.hex)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// A token or a quoted string, and what stands behind it.
    private static func value(_ text: Substring) -> (String, Substring) {
        let text = text.drop { $0 == " " || $0 == "\t" }
        guard text.first == "\"" else {
            let token = text.prefix { $0 != ";" }
            return (clean(token), text[token.endIndex...])
        }
        var (value, isEscaped) = ("", false)
        var index = text.index(after: text.startIndex)
        while index < text.endIndex {
            let character = text[index]
            index = text.index(after: index)
            if isEscaped || character != "\\" && character != "\"" {
                value.append(character)
                isEscaped = false
            } else if character == "\"" {
                break
            } else {
                isEscaped = true
            }
        }
        return (value, text[index...].drop { $0 != ";" })
    }

    private static func clean(_ text: Substring) -> String {
        String(text.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " "))
    }
}
