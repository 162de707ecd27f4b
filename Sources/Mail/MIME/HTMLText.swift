import Essentials

/// What a person reads of HTML: not for showing it again as HTML.
package struct HTMLText: Sendable {
    package struct Link: Sendable, Equatable {
        package let address: String
        /// What a person clicks on; of a picture what stands for it.
        package let text: String
        /// There is nothing but a picture in it.
        package let isPicture: Bool
    }

    private static let mostLinks = 200

    /// Text without tags, styles and scripts, lines at blocks, entities read.
    package let plain: String
    /// In order.
    package let links: [Link]

    package init(_ html: String) {
        var reader = HTMLReader(Array(html.utf8), mostLinks: Self.mostLinks)
        reader.read()
        plain = String(decoding: Self.tidy(reader.text), as: UTF8.self).withFewMarks
        links = reader.links
    }

    /// Lines without blanks around and between them, and no empty ones.
    fileprivate static func tidy(_ text: [UInt8]) -> [UInt8] {
        var tidy: [UInt8] = []
        tidy.reserveCapacity(text.count)
        var gap = UInt8(0)
        for byte in text {
            if byte <= 0x20 {
                let isEnd = byte == .lineFeed || byte == .carriageReturn
                gap = isEnd || gap == .lineFeed ? .lineFeed : 0x20
            } else {
                if gap != 0, !tidy.isEmpty { tidy.append(gap) }
                gap = 0
                tidy.append(byte)
            }
        }
        return tidy
    }
}

/// Reads HTML once, from its beginning to its end.
private struct HTMLReader {
    private let bytes: [UInt8]
    private let mostLinks: Int
    private var index = 0
    var text: [UInt8] = []
    var links: [HTMLText.Link] = []
    /// Where the text of the open link begins.
    private var open: (address: String, start: Int, pictures: [UInt8])?
    /// Marks that stand nowhere in the rest, so that nobody looks for them again.
    private var missing: Set<UInt8> = []

    init(_ bytes: [UInt8], mostLinks: Int) {
        (self.bytes, self.mostLinks) = (bytes, mostLinks)
        text.reserveCapacity(bytes.count / 2)
    }

    mutating func read() {
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<"): if !readTag() { return finishLink() }
            case UInt8(ascii: "&"): text += HTMLEntities.read(bytes, &index)
            // A line of the source is a blank.
            case .lineFeed, .carriageReturn, 9:
                text.append(0x20)
                index += 1
            default: readRun()
            }
        }
        finishLink()
    }

    private mutating func readRun() {
        let start = index
        while index < bytes.count, bytes[index] >= 0x20 || bytes[index] == 0,
            bytes[index] != UInt8(ascii: "<"), bytes[index] != UInt8(ascii: "&")
        {
            index += 1
        }
        if index == start { index += 1 }
        text += bytes[start..<index]
    }

    /// - Returns: false when the tag does not end.
    private mutating func readTag() -> Bool {
        if bytes[index...].starts(with: "<!--".utf8) { return skip(behind: "-->") }
        guard let next = bytes[(index + 1)...].first, isTagStart(next) else {
            text.append(UInt8(ascii: "<"))
            index += 1
            return true
        }
        let start = index + 1
        guard let close = endOfTag(start) else { return false }
        let inside = bytes[start..<close]
        let name = String(
            decoding: inside.prefix { $0 == UInt8(ascii: "/") || $0.isAlphanumeric }, as: UTF8.self
        ).asciiLowercased
        index = close + 1
        handle(name, inside)
        if ["style", "script", "title", "head"].contains(name), name != "head" {
            return skip(behind: "</" + name) && skip(behind: ">")
        }
        return true
    }

    private func isTagStart(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "!")
            || byte == UInt8(ascii: "?")
    }

    /// A `>` in quotation marks ends no tag.
    private mutating func endOfTag(_ start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: ">") { return index }
            let isQuote = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
            if isQuote, bytes[index - 1] == UInt8(ascii: "=") || bytes[index - 1] <= 0x20,
                !missing.contains(byte)
            {
                if let end = bytes[(index + 1)...].firstIndex(of: byte) {
                    index = end
                } else {
                    missing.insert(byte)
                }
            }
            index += 1
        }
        return nil
    }

    private mutating func handle(_ name: String, _ inside: ArraySlice<UInt8>) {
        let bare =
            name.hasPrefix("/") ? name.dropFirst() : name.hasSuffix("/") ? name.dropLast() : Substring(name)
        if Self.blocks.contains(bare) { text.append(.lineFeed) }
        if bare == "td" || bare == "th" { text.append(0x20) }
        switch name {
        case "a":
            finishLink()
            if let address = attribute("href", inside) { open = (address, text.count, []) }
        case "/a": finishLink()
        case "img":
            if open != nil, let name = attribute("alt", inside) {
                open?.pictures += Array(name.utf8) + [0x20]
            }
        default: break
        }
    }

    private mutating func finishLink() {
        guard let link = open else { return }
        open = nil
        guard links.count < mostLinks else { return }
        let words = HTMLText.tidy(text[min(link.start, text.count)...].map { $0 == .lineFeed ? 0x20 : $0 })
        let shown = words.isEmpty ? HTMLText.tidy(link.pictures) : words
        links.append(
            HTMLText.Link(
                address: link.address, text: String(decoding: shown.prefix(200), as: UTF8.self),
                isPicture: words.isEmpty))
    }

    private static let blocks: Set<Substring> = [
        "br", "p", "div", "tr", "li", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol", "hr",
        "blockquote", "title", "pre", "section",
        "article", "header", "footer", "center", "dt", "dd",
    ]

    /// The value of an attribute, without blanks around it.
    private func attribute(_ name: StaticString, _ inside: ArraySlice<UInt8>) -> String? {
        let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        for index in inside.indices where inside[index].lowercased == wanted[0] {
            let here = inside[index...].prefix(wanted.count)
            guard here.count == wanted.count, zip(here, wanted).allSatisfy({ $0.lowercased == $1 }),
                index > inside.startIndex,
                inside[index - 1] <= 0x20 || [0x22, 0x27].contains(inside[index - 1])
            else { continue }
            let value = inside[(index + wanted.count)...].drop { $0 <= 0x20 }
            guard value.first == UInt8(ascii: "=") else { continue }
            let quoted = value.dropFirst().drop { $0 <= 0x20 }
            guard let mark = quoted.first, mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") else {
                return HTMLEntities.text(quoted.prefix { $0 > 0x20 })
            }
            return HTMLEntities.text(quoted.dropFirst().prefix { $0 != mark })
        }
        return nil
    }

    /// Goes behind the next place where `text` stands, in any case.
    private mutating func skip(behind text: String) -> Bool {
        let wanted = Array(text.utf8)
        while index + wanted.count <= bytes.count {
            var offset = 0
            while offset < wanted.count, bytes[index + offset].lowercased == wanted[offset] { offset += 1 }
            if offset == wanted.count {
                index += offset
                return true
            }
            index += 1
        }
        return false
    }
}

extension UInt8 {
    var isAlphanumeric: Bool { isDigit || 0x61...0x7A ~= lowercased }
}
