/// A text in the part of Markdown that our documentation uses, taken apart.
///
/// Headings, paragraphs, tight lists, tables, fenced code and quotes; in a line code, links, images, emphasis. What else CommonMark or
/// GitHub would read in a text is refused, so that no reader sees another page than we do. Source: CommonMark 0.31.2, GFM 0.29.
struct Markdown {
    indirect enum Block {
        case heading(level: Int, [Inline])
        case paragraph([Inline])
        case code(language: String, text: String)
        case list(isOrdered: Bool, items: [[Block]])
        case table(head: [[Inline]], rows: [[[Inline]]])
        case quote([Block])
    }

    indirect enum Inline {
        case text(String)
        case code(String)
        case link([Inline], to: String)
        case image(alternative: String, from: String)
        case strong([Inline])
        case emphasis([Inline])

        /// What is read of it without any form.
        var plain: String {
            switch self {
            case .text(let text), .code(let text), .image(let text, _): text
            case .link(let inside, _), .strong(let inside), .emphasis(let inside):
                inside.map(\.plain).joined()
            }
        }
    }

    /// A heading with the name that a link's fragment calls it by.
    struct Section {
        let level: Int
        let title: String
        let id: String
    }

    let blocks: [Block]
    /// The headings in their order.
    let sections: [Section]

    /// - Throws: ``MarkdownError``, when the text holds what is not in our part of Markdown.
    init(_ text: String) throws {
        var reader = MarkdownReader(text.split(separator: "\n", omittingEmptySubsequences: false))
        blocks = try reader.blocks()
        var names = Names()
        sections = blocks.compactMap { block in
            guard case .heading(let level, let inside) = block else { return nil }
            let title = inside.map(\.plain).joined()
            return Section(level: level, title: title, id: names.id(of: title))
        }
    }

    /// What the headings of one text are called by.
    struct Names {
        private var used: [String: Int] = [:]

        mutating func id(of title: String) -> String {
            let name = Markdown.name(of: title)
            defer { used[name, default: 0] += 1 }
            return used[name].map { "\(name)-\($0)" } ?? name
        }
    }

    /// The first heading.
    var title: String { sections.first?.title ?? "" }

    /// As forges name a heading: small letters, digits, hyphens and underscores; blanks become hyphens, the rest goes.
    private static func name(of title: String) -> String {
        String(
            title.lowercased().compactMap { character in
                if character == " " { return "-" }
                return character.isLetter || character.isNumber || "-_".contains(character) ? character : nil
            })
    }
}

/// Something in a text that is not in our part of Markdown.
struct MarkdownError: Error {
    /// Counted from 1.
    let line: Int
    let reason: String

    var sentence: String { "Line \(line): \(reason)." }
}
