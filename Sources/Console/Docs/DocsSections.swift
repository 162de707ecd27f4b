import Essentials

/// A text of the documentation, cut at its headings and without its marks: what a search reads. Much faster than reading it as a page does.
struct DocsSections {
    struct Section {
        let level: Int
        let title: String
        /// As ``Markdown`` names it.
        let id: String
        /// In one line.
        let text: String
    }

    private(set) var all: [Section] = []
    private var ids = Markdown.Names()
    private var heading: (level: Int, title: String)?
    private var text: [UInt8] = []

    private static let fence = Array("```".utf8)
    private static let ruler = Array("|---".utf8)
    private static let blank = UInt8(ascii: " ")

    /// - Parameter source: UTF-8.
    init(_ source: [UInt8]) {
        var isCode = false
        for line in source.split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: Self.fence) {
                isCode.toggle()
            } else if isCode {
                text += line + [Self.blank]
            } else if let level = Self.level(line) {
                close()
                var title: [UInt8] = []
                Self.add(line.dropFirst(level + 1), to: &title)
                heading = (level, String(decoding: title, as: UTF8.self).trimmed)
            } else if !line.starts(with: Self.ruler) {
                Self.add(line, to: &text)
            }
        }
        close()
    }

    private static func level(_ line: ArraySlice<UInt8>) -> Int? {
        let level = line.prefix { $0 == UInt8(ascii: "#") }.count
        return level > 0 && line.dropFirst(level).first == blank ? level : nil
    }

    private mutating func close() {
        if let heading {
            all.append(
                Section(
                    level: heading.level, title: heading.title, id: ids.id(of: heading.title),
                    text: String(decoding: text, as: UTF8.self)))
        }
        text = []
    }

    /// A line without the marks of code, emphasis, tables and links, whose addresses nobody reads.
    private static func add(_ line: ArraySlice<UInt8>, to text: inout [UInt8]) {
        var rest = line
        var isCode = false
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "`"): isCode.toggle()
            case UInt8(ascii: "*") where !isCode, UInt8(ascii: "[") where !isCode: break
            case UInt8(ascii: "]") where !isCode:
                if rest.first == UInt8(ascii: "("), let end = rest.firstIndex(of: UInt8(ascii: ")")) {
                    rest = rest[(end + 1)...]
                }
            case UInt8(ascii: "|") where !isCode: text.append(blank)
            default: text.append(byte)
            }
        }
        text.append(blank)
    }
}
