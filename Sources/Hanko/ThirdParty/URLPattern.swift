/// A pattern for URLs: `*` stands for anything without a dot or slash, `**` for anything.
///
/// Source: Hanko's configuration, `allowed_redirect_urls`, whose separators are `.` and `/`.
struct URLPattern: Sendable, Equatable {
    let text: String

    init(_ text: String) { self.text = text.hasSuffix("/") ? String(text.dropLast()) : text }

    func matches(_ url: String) -> Bool {
        // Which ends of the pattern's beginning can the URL's beginning reach? One pass over the URL, whatever the pattern.
        let parts = Self.parts(of: text)
        var places = Self.closure(of: [0], parts)
        for byte in url.utf8 {
            var next: Set<Int> = []
            for place in places where place < parts.count {
                switch parts[place] {
                case .byte(let expected): if byte == expected { next.insert(place + 1) }
                case .segment: if !Self.separators.contains(byte) { next.insert(place) }
                case .anything: next.insert(place)
                }
            }
            places = Self.closure(of: next, parts)
            if places.isEmpty { return false }
        }
        return places.contains(parts.count)
    }

    private enum Part {
        case byte(UInt8), segment, anything
    }

    private static let separators: Set<UInt8> = [UInt8(ascii: "."), UInt8(ascii: "/")]

    private static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        for byte in text.utf8 {
            guard byte == UInt8(ascii: "*") else {
                parts.append(.byte(byte))
                continue
            }
            if case .segment = parts.last {
                parts[parts.count - 1] = .anything
            } else {
                parts.append(.segment)
            }
        }
        return parts
    }

    /// The places, and those behind stars that stand for nothing.
    private static func closure(of places: Set<Int>, _ parts: [Part]) -> Set<Int> {
        var all = places
        for var place in places {
            while place < parts.count {
                if case .byte = parts[place] { break }
                place += 1
                all.insert(place)
            }
        }
        return all
    }
}
