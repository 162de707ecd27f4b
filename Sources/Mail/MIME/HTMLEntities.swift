/// Character references. Source: WHATWG HTML §13.5, those that mails have.
enum HTMLEntities {
    /// What stands at `index`, where an ampersand is; goes behind it.
    static func read(_ bytes: [UInt8], _ index: inout Int) -> [UInt8] {
        let name = bytes[(index + 1)...].prefix(10).prefix { $0.isAlphanumeric || $0 == UInt8(ascii: "#") }
        let isEnded = name.endIndex < bytes.count && bytes[name.endIndex] == UInt8(ascii: ";")
        guard isEnded, let text = character(name) else {
            index += 1
            return [UInt8(ascii: "&")]
        }
        index = name.endIndex + 1
        return Array(text.utf8)
    }

    /// A text with its references read, without blanks around it.
    static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let bytes = Array(bytes)
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self).trimmed }
        var (read, index) = ([UInt8](), 0)
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "&") {
                read += Self.read(bytes, &index)
            } else {
                read.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: read, as: UTF8.self).trimmed
    }

    private static func character(_ name: ArraySlice<UInt8>) -> String? {
        guard name.first == UInt8(ascii: "#") else { return named[String(decoding: name, as: UTF8.self)] }
        let digits = name.dropFirst()
        let isHex = digits.first == UInt8(ascii: "x") || digits.first == UInt8(ascii: "X")
        let value = UInt32(
            String(decoding: isHex ? digits.dropFirst() : digits, as: UTF8.self), radix: isHex ? 16 : 10)
        return value.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }

    private static let named: [String: String] = {
        var named = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ensp": " ",
            "emsp": " ", "thinsp": " ", "szlig": "ß",
            "euro": "€", "pound": "£", "yen": "¥", "cent": "¢", "ndash": "–", "mdash": "—", "hellip": "…",
            "rsquo": "’", "lsquo": "‘", "rdquo": "”",
            "ldquo": "“", "sbquo": "‚", "bdquo": "„", "laquo": "\u{AB}", "raquo": "\u{BB}", "copy": "©",
            "reg": "®",
            "trade": "™", "bull": "•", "middot": "·",
            "deg": "°", "sect": "§", "para": "¶", "iexcl": "¡", "iquest": "¿", "times": "×", "shy": "",
            "zwnj": "", "zwj": "", "lrm": "", "rlm": "",
            "num": "#", "colon": ":", "sol": "/", "equals": "=", "quest": "?", "percnt": "%", "lowbar": "_",
            "period": ".", "commat": "@", "Tab": " ",
            "NewLine": "\n", "aelig": "æ", "AElig": "Æ", "oslash": "ø", "Oslash": "Ø", "aring": "å",
            "Aring": "Å", "oelig": "œ", "OElig": "Œ", "thorn": "þ",
            "eth": "ð",
        ]
        for (mark, letters) in [
            ("acute", "aá eé ií oó uú yý AÁ EÉ IÍ OÓ UÚ YÝ"), ("grave", "aà eè iì oò uù AÀ EÈ IÌ OÒ UÙ"),
            ("circ", "aâ eê iî oô uû AÂ EÊ IÎ OÔ UÛ"),
            ("uml", "aä eë iï oö uü yÿ AÄ EË IÏ OÖ UÜ"), ("tilde", "aã nñ oõ AÃ NÑ OÕ"), ("cedil", "cç CÇ"),
            ("caron", "sš zž cč SŠ ZŽ CČ"),
        ] {
            for pair in letters.split(separator: " ") {
                named[String(pair.prefix(1)) + mark] = String(pair.suffix(1))
            }
        }
        return named
    }()
}
