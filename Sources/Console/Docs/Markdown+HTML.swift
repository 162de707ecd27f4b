import HTTP

extension Markdown {
    /// The text as markup; everything of it is escaped.
    ///
    /// - Parameter address: what becomes of the address of a link or an image; nil leaves the words alone.
    func html(_ address: (String) -> String?) -> HTML {
        var names = sections.map(\.id)[...]
        return "\(blocks.map { Self.html($0, &names, address) })"
    }

    private static func html(
        _ block: Block, _ names: inout ArraySlice<String>, _ address: (String) -> String?
    ) -> HTML {
        switch block {
        case .heading(let level, let inside):
            let tag = HTML(markup: "h\(level)")
            return "<\(tag) id=\"\(names.popFirst() ?? "")\">\(line(inside, address))</\(tag)>"
        case .paragraph(let inside): return "<p>\(line(inside, address))</p>"
        case .code(let language, let text):
            let kind: HTML = language.isEmpty ? "" : " data-language=\"\(language)\""
            return "<pre class=\"shell\" data-copy\(kind)>\n\(text)</pre>"
        case .list(let isOrdered, let items):
            let tag: HTML = isOrdered ? "ol" : "ul"
            return "<\(tag)>\n\(items.map { item($0, address) })\n</\(tag)>"
        case .table(let head, let rows): return table(head, rows, address)
        case .quote(let inside):
            var none: ArraySlice<String> = []
            return "<blockquote>\n\(inside.map { html($0, &none, address) })\n</blockquote>"
        }
    }

    /// The paragraphs of an item stand in it without tags of their own.
    private static func item(_ blocks: [Block], _ address: (String) -> String?) -> HTML {
        var none: ArraySlice<String> = []
        let parts = blocks.map { block -> HTML in
            if case .paragraph(let inside) = block { return line(inside, address) }
            return html(block, &none, address)
        }
        return "<li>\(parts)</li>"
    }

    private static func table(
        _ head: [[Inline]], _ rows: [[[Inline]]], _ address: (String) -> String?
    ) -> HTML {
        func row(_ cells: [[Inline]], _ tag: HTML) -> HTML {
            let parts = cells.map { "<\(tag)>\(line($0, address))</\(tag)>" as HTML }
            return "<tr>\(parts)</tr>"
        }
        // A head of empty cells is none: the first cell of a line is its name then.
        let isHeaded = head.contains { !$0.isEmpty }
        let top: HTML = isHeaded ? "<thead>\n\(row(head, "th"))\n</thead>\n" : ""
        return """
            <div class="wide" tabindex="0" role="group" aria-label="Table">
            <table>
            \(top)<tbody>
            \(rows.map { row($0, "td") })
            </tbody>
            </table>
            </div>
            """
    }

    private static func line(_ inlines: [Inline], _ address: (String) -> String?) -> HTML {
        inlines.reduce(.none) { "\($0)\(html($1, address))" }
    }

    private static func html(_ inline: Inline, _ address: (String) -> String?) -> HTML {
        switch inline {
        case .text(let text): return "\(text)"
        case .code(let text): return "<code>\(text)</code>"
        case .strong(let inside): return "<strong>\(line(inside, address))</strong>"
        case .emphasis(let inside): return "<em>\(line(inside, address))</em>"
        case .link(let inside, let to):
            guard let target = address(to) else { return line(inside, address) }
            return "<a href=\"\(target)\">\(line(inside, address))</a>"
        case .image(let alternative, let from):
            guard let source = address(from) else { return "\(alternative)" }
            return "<img src=\"\(source)\" alt=\"\(alternative)\">"
        }
    }
}
