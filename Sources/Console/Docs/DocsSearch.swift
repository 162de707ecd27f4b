import Essentials

/// Words, looked for in the whole documentation. No index is carried or kept: all of its text is read in a few milliseconds.
struct DocsSearch {
    /// Hits that are shown.
    static let limit = 20
    /// Bytes of a text that are shown on either side of where the first word begins.
    private static let around = 60

    struct Hit {
        /// Title of the page.
        let page: String
        /// Heading of the section.
        let title: String
        /// Below the mount of the world.
        let path: String
        /// What stands around the first word.
        let words: String
    }

    private let words: [TextSearch]

    /// Nil for a text without words.
    init?(_ text: String) throws(TextSearch.TooLong) {
        var words: [TextSearch] = []
        for word in text.split(separator: " ") { words.append(try TextSearch(String(word))) }
        if words.isEmpty { return nil }
        self.words = words
    }

    /// Sections that have all words, those with one of them in their title first.
    ///
    /// - Parameter read: the source of a page, in UTF-8.
    func hits(in pages: [String], _ read: (String) -> [UInt8]?) -> [Hit] {
        var (titled, others) = ([Hit](), [Hit]())
        for name in pages {
            let sections = read(name).map { DocsSections($0).all } ?? []
            let page = sections.first?.title ?? name
            for section in sections where has(section, page) {
                let isWhole = section.level == 1
                let hit = Hit(
                    page: page, title: section.title,
                    path: (name == "index" ? "/docs" : "/docs/" + name) + (isWhole ? "" : "#" + section.id),
                    words: excerpt(section.text))
                if words.contains(where: { $0.isIn(section.title) }) {
                    titled.append(hit)
                } else {
                    others.append(hit)
                }
            }
        }
        return titled + others
    }

    private func has(_ section: DocsSections.Section, _ page: String) -> Bool {
        words.allSatisfy { $0.isIn(section.text) || $0.isIn(section.title) || $0.isIn(page) }
    }

    private func excerpt(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let low = bytes.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        let at = words.lazy.compactMap { low.firstRange(of: Array($0.text.utf8))?.lowerBound }.first ?? 0
        let (start, end) = (
            Self.whole(bytes, max(0, at - Self.around)), Self.whole(bytes, min(bytes.count, at + Self.around))
        )
        return (start > 0 ? "… " : "") + String(decoding: bytes[start..<end], as: UTF8.self).trimmed
    }

    /// The same place, or the next one where a character begins. Source: RFC 3629 §3.
    private static func whole(_ bytes: [UInt8], _ index: Int) -> Int {
        bytes[index...].firstIndex { $0 & 0xC0 != 0x80 } ?? bytes.count
    }
}
