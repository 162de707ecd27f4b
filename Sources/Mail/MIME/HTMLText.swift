import Essentials

/// What a person reads of HTML, for mails that bring nothing else: not for showing it again as HTML.
package struct HTMLText: Sendable {
    private static let mostLinks = 200

    /// Text without tags, styles and scripts, lines at blocks, entities read.
    package let plain: String
    /// The addresses of links, in order.
    package let links: [String]

    package init(_ html: String) {
        var (text, links) = ([UInt8](), [String]())
        let bytes = Array(html.utf8)
        var rest = bytes[...]
        // Each step goes on behind what it has looked at, so that no HTML takes long.
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            text += rest[..<open]
            rest = rest[open...]
            guard let tag = Tag(&rest) else { break }
            if Self.isBlock(tag.name) { text.append(.lineFeed) }
            if tag.name == "td" || tag.name == "/td" { text.append(0x20) }
            if tag.name == "a", links.count < Self.mostLinks, let link = tag.address {
                links.append(Self.entities(in: link).trimmed)
            }
        }
        text += rest.prefix { $0 != UInt8(ascii: "<") }
        plain = Self.tidy(Self.entities(in: String(decoding: text, as: UTF8.self)))
        self.links = links
    }

    /// A tag with what a person sees nothing of: a comment, a style, a script, a title.
    private struct Tag {
        /// In lower case, `/p` for an end; empty for a comment.
        let name: String
        private let inside: ArraySlice<UInt8>

        /// - Returns: nil when it does not end.
        init?(_ rest: inout ArraySlice<UInt8>) {
            if rest.starts(with: "<!--".utf8) {
                guard Self.skip("-->", &rest) else { return nil }
                (name, inside) = ("", [])
                return
            }
            guard let close = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
            inside = rest[(rest.startIndex + 1)..<close]
            name =
                String(
                    decoding: inside.prefix { $0 == UInt8(ascii: "/") || $0.isAlphanumeric }, as: UTF8.self
                ).asciiLowercased
            rest = rest[(close + 1)...]
            guard ["style", "script", "title"].contains(name) else { return }
            guard Self.skip("</" + name, &rest), let end = rest.firstIndex(of: UInt8(ascii: ">")) else {
                return nil
            }
            rest = rest[(end + 1)...]
        }

        /// Goes behind the next place where `text` stands, in any case.
        private static func skip(_ text: String, _ rest: inout ArraySlice<UInt8>) -> Bool {
            let wanted = Array(text.utf8)
            for index in rest.indices where rest[index] == wanted[0] {
                let here = rest[index...].prefix(wanted.count)
                guard here.count == wanted.count, zip(here, wanted).allSatisfy({ $0.lowercased == $1 }) else {
                    continue
                }
                rest = rest[(index + wanted.count)...]
                return true
            }
            return false
        }

        /// Where a link leads.
        var address: String? {
            let wanted = Array("href".utf8)
            for index in inside.indices where inside[index].lowercased == wanted[0] {
                let here = inside[index...].prefix(wanted.count)
                guard here.count == wanted.count, zip(here, wanted).allSatisfy({ $0.lowercased == $1 }),
                    index > inside.startIndex, inside[index - 1] <= 0x20
                else { continue }
                let value = inside[(index + 4)...].drop { $0 <= 0x20 }
                guard value.first == UInt8(ascii: "=") else { continue }
                let quoted = value.dropFirst().drop { $0 <= 0x20 }
                guard let mark = quoted.first, mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") else {
                    return String(decoding: quoted.prefix { $0 > 0x20 }, as: UTF8.self)
                }
                return String(decoding: quoted.dropFirst().prefix { $0 != mark }, as: UTF8.self)
            }
            return nil
        }
    }

    private static func isBlock(_ name: String) -> Bool {
        let bare =
            name.hasPrefix("/")
            ? String(name.dropFirst()) : name.hasSuffix("/") ? String(name.dropLast()) : name
        return [
            "br", "p", "div", "tr", "li", "h1", "h2", "h3", "h4", "table", "ul", "ol", "hr", "blockquote",
            "title",
        ].contains(bare)
    }

    /// Lines without blanks around and between them, and no empty ones.
    private static func tidy(_ text: String) -> String {
        let lines = Array(text.utf8).split { $0 == .lineFeed || $0 == .carriageReturn }.compactMap { line in
            let words = line.split { $0 <= 0x20 }
            return words.isEmpty ? nil : Array(words.joined(separator: [0x20]))
        }
        return String(decoding: Array(lines.joined(separator: [.lineFeed])), as: UTF8.self)
    }

    private static func entities(in text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var (read, rest) = ("", Substring(text))
        while let mark = rest.firstIndex(of: "&") {
            read += rest[..<mark]
            rest = rest[mark...]
            let name = rest.dropFirst().prefix(10).prefix { $0.isLetter || $0.isNumber || $0 == "#" }
            let isEnded = rest.dropFirst(1 + name.count).first == ";"
            if isEnded, let character = character(String(name)) {
                read += character
                rest = rest.dropFirst(2 + name.count)
            } else {
                read += "&"
                rest = rest.dropFirst()
            }
        }
        return read + rest
    }

    private static let named = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "auml": "ä", "ouml": "ö",
        "uuml": "ü", "Auml": "Ä",
        "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "eacute": "é", "egrave": "è", "agrave": "à", "ccedil": "ç",
        "euro": "€",
        "ndash": "–", "mdash": "—", "hellip": "…", "rsquo": "’", "lsquo": "‘", "rdquo": "”", "ldquo": "“",
        "copy": "©", "zwnj": "",
    ]

    private static func character(_ name: String) -> String? {
        guard name.hasPrefix("#") else { return named[name] }
        let digits = name.dropFirst()
        let value =
            digits.first == "x" || digits.first == "X"
            ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return value.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }
}

extension UInt8 {
    var isAlphanumeric: Bool { isDigit || 0x61...0x7A ~= lowercased }
}
