/// Reads the blocks of lines, from top to bottom.
struct MarkdownReader {
    private let lines: [Substring]
    /// The number of the first of ``lines`` in the whole text, from 1.
    private let first: Int
    /// Whether these lines stand inside of a list or a quote.
    private let isNested: Bool
    private var at = 0

    init(_ lines: [Substring], first: Int = 1, isNested: Bool = false) {
        self.lines = lines
        self.first = first
        self.isNested = isNested
    }

    mutating func blocks() throws -> [Markdown.Block] {
        var blocks: [Markdown.Block] = []
        while let line = next {
            if line.isEmpty { at += 1 } else { blocks.append(try block(line)) }
        }
        return blocks
    }

    private var next: Substring? { at < lines.count ? lines[at] : nil }

    private func error(_ reason: String) -> MarkdownError { MarkdownError(line: first + at, reason: reason) }

    private mutating func block(_ line: Substring) throws -> Markdown.Block {
        if line.hasPrefix("```") { return try code(line) }
        try check(line)
        if let marker = Marker(line) { return try list(isOrdered: marker.isOrdered) }
        if isNested, line.hasPrefix("#") || line.hasPrefix("|") || line.hasPrefix(">") {
            throw error("no headings, tables and quotes inside of a list or a quote")
        }
        if line.hasPrefix("#") { return try heading(line) }
        if line.hasPrefix("|") { return try table() }
        if line.hasPrefix(">") { return try quote() }
        return try paragraph()
    }

    /// What begins or ends a line and would mean something to other readers of Markdown.
    private func check(_ line: Substring) throws {
        if line.contains("\t") { throw error("no tabs outside of code") }
        if line.hasPrefix(" ") { throw error("indented, and no part of a list") }
        if line.hasSuffix(" ") || line.hasSuffix("\\") { throw error("a blank or a backslash at the end") }
        if line.hasPrefix("~~~") { throw error("code is fenced by ```") }
        if line.hasPrefix("* ") || line.hasPrefix("+ ") { throw error("lists have \"- \"") }
        if let mark = line.first, "-=*_".contains(mark), line.allSatisfy({ $0 == mark || $0 == " " }) {
            throw error("no rules, and no underlined headings")
        }
    }

    private mutating func heading(_ line: Substring) throws -> Markdown.Block {
        let level = line.prefix { $0 == "#" }.count
        let title = line.dropFirst(level)
        guard level <= 4, title.hasPrefix(" "), !title.hasSuffix("#") else {
            throw error("a heading is # to ####, a blank and a title")
        }
        let inside = try inlines([title.drop { $0 == " " }])
        at += 1
        return .heading(level: level, inside)
    }

    private mutating func paragraph() throws -> Markdown.Block {
        let start = at
        while let line = next, !line.isEmpty, at == start || !Self.interrupts(line) {
            try check(line)
            if line.hasPrefix("|") { throw error("a table stands behind an empty line") }
            at += 1
        }
        return .paragraph(try inlines(Array(lines[start..<at]), from: start))
    }

    /// Whether a line ends a paragraph that goes before it.
    private static func interrupts(_ line: Substring) -> Bool {
        line.hasPrefix("#") || line.hasPrefix("```") || line.hasPrefix(">")
            || Marker(line)?.interrupts == true
    }

    private mutating func code(_ opening: Substring) throws -> Markdown.Block {
        let start = at
        let language = opening.dropFirst(3)
        guard language.allSatisfy({ $0.isLetter || $0 == "-" }) else {
            throw error("a fence is ``` and a language")
        }
        at += 1
        while let line = next, line != "```" { at += 1 }
        guard next != nil else {
            at = start
            throw error("the code never ends")
        }
        let text = lines[(start + 1)..<at].map { $0 + "\n" }.joined()
        at += 1
        return .code(language: String(language), text: text)
    }

    private mutating func quote() throws -> Markdown.Block {
        let start = at
        while let line = next, line.hasPrefix(">") {
            guard line == ">" || line.hasPrefix("> ") else {
                throw error("a quote has \"> \" before each line")
            }
            at += 1
        }
        if next?.isEmpty == false { throw error("an empty line ends a quote") }
        var inside = MarkdownReader(
            lines[start..<at].map { $0.dropFirst(2) }, first: first + start, isNested: true)
        return .quote(try inside.blocks())
    }

    // MARK: Lists

    /// What a line of a list begins with.
    private struct Marker {
        let isOrdered: Bool
        /// Characters, with the blank.
        let width: Int
        let number: Int?

        init?(_ line: Substring) {
            let digits = line.prefix { "0123456789".contains($0) }
            isOrdered = !digits.isEmpty
            width = isOrdered ? digits.count + 2 : 2
            number = Int(digits)
            guard line.hasPrefix(isOrdered ? digits + ". " : "- "), line.count > width else { return nil }
        }

        /// Numbers other than 1 may be the middle of a sentence.
        var interrupts: Bool { !isOrdered || number == 1 }
    }

    private mutating func list(isOrdered: Bool) throws -> Markdown.Block {
        var items: [[Markdown.Block]] = []
        while let line = next, let marker = Marker(line), marker.isOrdered == isOrdered {
            if isOrdered, marker.number != items.count + 1 { throw error("a list counts from 1") }
            items.append(try item(marker.width))
        }
        try checkEnd()
        return .list(isOrdered: isOrdered, items: items)
    }

    /// One item with the lines that are indented as its text is.
    private mutating func item(_ width: Int) throws -> [Markdown.Block] {
        let start = at
        let margin = String(repeating: " ", count: width)
        var inside = [lines[at].dropFirst(width)]
        var isFenced = inside[0].hasPrefix("```")
        at += 1
        while let line = next, line.hasPrefix(margin) || (isFenced && line.isEmpty) {
            inside.append(line.dropFirst(width))
            if inside[inside.count - 1].hasPrefix("```") { isFenced.toggle() }
            at += 1
        }
        var reader = MarkdownReader(inside, first: first + start, isNested: true)
        return try reader.blocks()
    }

    /// Refuses what would go on with the list, or make it one with gaps.
    private func checkEnd() throws {
        guard let line = next else { return }
        if !line.isEmpty {
            if Self.interrupts(line) { return }
            throw error("the text of an item is indented, and an empty line ends a list")
        }
        if let other = lines[at...].first(where: { !$0.isEmpty }),
            other.hasPrefix(" ") || Marker(other) != nil
        {
            throw error("no empty lines in lists, and something between two lists")
        }
    }

    // MARK: Tables

    private mutating func table() throws -> Markdown.Block {
        let head = try row()
        guard let line = next, line == "|" + String(repeating: "---|", count: head.count) else {
            throw error("below the head of a table stands |---| for each column")
        }
        at += 1
        var rows: [[[Markdown.Inline]]] = []
        while let line = next, line.hasPrefix("|") {
            rows.append(try row())
            guard rows[rows.count - 1].count == head.count else {
                at -= 1
                throw error("the head has \(head.count) cells, this line \(rows[rows.count - 1].count)")
            }
        }
        if next?.isEmpty == false { throw error("an empty line ends a table") }
        return .table(head: head, rows: rows)
    }

    /// A bar inside of a cell, in code too, has a backslash before it.
    private mutating func row() throws -> [[Markdown.Inline]] {
        var cells = [""]
        var isEscaped = false
        for character in lines[at].dropFirst() {
            if character == "|", !isEscaped {
                cells.append("")
            } else {
                cells[cells.count - 1].append(character)
            }
            isEscaped = character == "\\"
        }
        guard cells.removeLast().isEmpty else { throw error("a line of a table ends with a bar") }
        let texts = cells.map { $0.replacing("\\|", with: "|").trimmed }
        let row = try texts.map { try inlines([$0[...]]) }
        at += 1
        return row
    }

    private func inlines(_ text: [Substring], from index: Int? = nil) throws -> [Markdown.Inline] {
        do {
            var reader = MarkdownText(text.joined(separator: "\n"))
            return try reader.inlines()
        } catch let problem as MarkdownText.Problem {
            throw MarkdownError(line: first + (index ?? at) + problem.line, reason: problem.reason)
        }
    }
}
