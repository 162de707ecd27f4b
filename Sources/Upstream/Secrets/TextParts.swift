/// Parts of a text that mean something, found in time that grows with its length alone: it comes from a service that may be hostile.
struct TextParts {
    /// Bytes of the text, from the first to the last part.
    private(set) var ranges: [Range<Int>] = []

    /// The text with something else in the place of each part.
    func replaced(in text: [UInt8], by other: (ArraySlice<UInt8>) -> [UInt8]) -> [UInt8] {
        if ranges.isEmpty { return text }
        var (made, copied): ([UInt8], Int) = ([], 0)
        for range in ranges {
            made += text[copied..<range.lowerBound]
            made += other(text[range])
            copied = range.upperBound
        }
        return made + text[copied...]
    }

    /// Three parts of Base64 with dots between, of which the first begins as a JSON object does.
    static func tokens(of text: [UInt8]) -> TextParts {
        var (parts, place) = (TextParts(), 0)
        let start = Array("eyJ".utf8)
        while place + start.count < text.count {
            guard text[place..<place + start.count].elementsEqual(start) else {
                place += 1
                continue
            }
            let header = end(of: text, from: place) { $0.isToken }
            let claims = header < text.count ? end(of: text, from: header + 1) { $0.isToken } : header
            // What begins later in the same letters has the same end.
            guard header >= place + 11, at(header, text) == dot, at(claims, text) == dot else {
                place = header
                continue
            }
            let whole = end(of: text, from: claims + 1) { $0.isToken || $0 == dot }
            parts.ranges.append(place..<whole)
            place = whole
        }
        return parts
    }

    /// Tags of inputs, without their end `>`.
    static func inputs(of page: [UInt8]) -> TextParts {
        var (parts, place) = (TextParts(), 0)
        let name = Array("<input".utf8)
        while place + name.count <= page.count {
            guard page[place] == name[0],
                page[place..<place + name.count].elementsEqual(name, by: { $0 | 0x20 == $1 | 0x20 })
            else {
                place += 1
                continue
            }
            guard let end = page[place...].firstIndex(of: UInt8(ascii: ">")) else { return parts }
            parts.ranges.append(place..<end)
            place = end
        }
        return parts
    }

    /// The text of elements whose local name `isMeant` says, up to the next tag, without the blanks around it.
    static func contents(of page: [UInt8], _ isMeant: (ArraySlice<UInt8>) -> Bool) -> TextParts {
        var (parts, place) = (TextParts(), 0)
        while let start = page[place...].firstIndex(of: UInt8(ascii: "<")) {
            let name = page[(start + 1)...].prefix { $0.isToken || $0 == UInt8(ascii: ":") || $0 == dot }
            place = name.endIndex
            let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
            guard !local.isEmpty, isMeant(local) else { continue }
            guard
                let end = page[place...].firstIndex(where: {
                    $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<")
                })
            else { return parts }
            place = end
            guard page[end] == UInt8(ascii: ">"), page[end - 1] != UInt8(ascii: "/") else { continue }
            let content = page[(end + 1)...].prefix { $0 != UInt8(ascii: "<") }
            place = content.endIndex
            let inner = content.drop(while: \.isBlank)
            let text = inner.dropLast(inner.reversed().prefix(while: \.isBlank).count)
            if !text.isEmpty { parts.ranges.append(text.startIndex..<text.endIndex) }
        }
        return parts
    }

    private static let dot = UInt8(ascii: ".")

    private static func at(_ place: Int, _ text: [UInt8]) -> UInt8? { place < text.count ? text[place] : nil }

    private static func end(of text: [UInt8], from start: Int, _ belongs: (UInt8) -> Bool) -> Int {
        text[min(start, text.count)...].firstIndex { !belongs($0) } ?? text.count
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || 0x09...0x0D ~= self }

    /// Of Base64 for URLs. Source: RFC 4648 §5.
    fileprivate var isToken: Bool {
        0x30...0x39 ~= self || 0x41...0x5A ~= self || 0x61...0x7A ~= self || self == UInt8(ascii: "-")
            || self == UInt8(ascii: "_")
    }
}
