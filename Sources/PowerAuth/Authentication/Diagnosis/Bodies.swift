import Crypto
import Essentials

/// Forms that a body takes on its way through apps, proxies and back ends.
enum Bodies {
    /// With a name for each, to follow “it covers”.
    static func variations(of body: [UInt8]) -> [([UInt8], String)] {
        var forms: [([UInt8], String)] = []
        if body.last == 0x0A {
            forms.append((Array(body.dropLast()), "the body without its final newline"))
            if body.dropLast().last == 0x0D {
                forms.append((Array(body.dropLast(2)), "the body without its final newline"))
            }
        }
        forms.append((body + [0x0A], "the body with a final newline"))
        forms.append((body + [0x0D, 0x0A], "the body with a final carriage return and newline"))
        forms.append(([], "an empty body"))
        forms.append((Array("{}".utf8), "the body {}"))
        forms.append((Array("null".utf8), "the body null"))
        if let text = String(validating: body, as: UTF8.self) { forms += jsonForms(of: text) }
        if let decoded = Base64.decode(String(decoding: body, as: UTF8.self)) {
            forms.append((decoded, "the body decoded from Base64"))
        }
        forms.append((Array(Base64.encode(body).utf8), "the body encoded in Base64"))
        return forms
    }

    private static func jsonForms(of text: String) -> [([UInt8], String)] {
        guard let value = try? JSONValue(parsing: Array(text.utf8)) else { return [] }
        let compact = withoutSpace(text)
        return [
            (compact, "re-serialised JSON: without white space"),
            (
                Array(String(decoding: compact, as: UTF8.self).replacing("/", with: "\\/").utf8),
                "re-serialised JSON: without white space, with escaped slashes"
            ),
            (Array(text.replacing("\\/", with: "/").utf8), "JSON whose slashes are not escaped"),
            (Array(text.replacing("/", with: "\\/").utf8), "JSON with escaped slashes"),
            (value.bytes, "re-serialised JSON: members in the order of their names, without white space"),
            (spaced(compact), "re-serialised JSON: with blanks behind colons and commas"),
            (spaced(value.bytes), "re-serialised JSON: members in the order of their names, with blanks"),
            (spaced(compact, ":"), "re-serialised JSON: with a blank behind colons"),
            (
                spaced(value.bytes, ":"),
                "re-serialised JSON: members in the order of their names, with a blank behind colons"
            ),
        ] + printed(compact, "") + printed(value.bytes, "members in the order of their names, ")
            + CompactJSON.orders(of: compact)
    }

    /// As encoders print for people: `"a": 1` or `"a" : 1`.
    private static func printed(_ compact: [UInt8], _ order: String) -> [([UInt8], String)] {
        [2, 4].flatMap { indent in
            [": ", " : "].map { colon in
                let blank = colon == ": " ? "" : " and one before colons"
                return (
                    CompactJSON.printed(compact, indent: indent, colon: colon),
                    "re-serialised JSON: \(order)pretty-printed with \(indent) blanks\(blank)"
                )
            }
        }
    }

    /// JSON without the white space outside of its strings.
    private static func withoutSpace(_ text: String) -> [UInt8] {
        outsideOfStrings(Array(text.utf8)) { [0x20, 0x09, 0x0A, 0x0D].contains($0) ? [] : [$0] }
    }

    private static func spaced(_ json: [UInt8], _ signs: String = ":,") -> [UInt8] {
        let signs = Array(signs.utf8)
        return outsideOfStrings(json) { signs.contains($0) ? [$0, 0x20] : [$0] }
    }

    private static func outsideOfStrings(_ json: [UInt8], _ change: (UInt8) -> [UInt8]) -> [UInt8] {
        var (result, isString, isEscaped): ([UInt8], Bool, Bool) = ([], false, false)
        for byte in json {
            result += isString ? [byte] : change(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isString.toggle()
            } else if isString, byte == UInt8(ascii: "\\") {
                isEscaped = true
            }
        }
        return result
    }
}
