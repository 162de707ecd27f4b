import Essentials
import HTTP
import PlatformKit

extension Console {
    /// The page that lists the others.
    private static let contents = "index"

    /// `GET /docs`, `GET /docs/NAME` and `GET /docs/NAME.md`: the documentation as pages and as their source.
    func docs(_ world: World, _ request: Request, name: String) throws -> Response {
        if name.hasSuffix(".md"), let text = docsText(String(name.dropLast(3))) {
            // RFC 7763.
            return Response(headers: ["Content-Type": "text/markdown; charset=utf-8"], body: Array(text.utf8))
        }
        guard let text = docsText(name) else {
            throw PageMissing(
                sentence: "The documentation has no page “\(name.shortened)”.", tab: .docs)
        }
        let page = DocsPage(
            base: request.mount, prefix: request.prefix, name: name, text: text,
            contents: docsText(Self.contents) ?? "")
        return render(Page(title: page.title, tab: .docs, main: page.html), request, in: world)
    }

    /// `GET /docs?q=`: the sections of all pages that have these words; without words the page of contents.
    func docsIndex(_ world: World, _ request: Request) throws -> Response {
        let words = request.queryItems["q"] ?? ""
        _ = try request.queryItems.search("q", isTyped: true)
        guard let search = try DocsSearch(words) else { return try docs(world, request, name: Self.contents) }
        let hits = search.hits(in: [Self.contents] + docsNames) { web.read("docs/\($0).md") }
        let page = DocsPage(
            base: request.mount, prefix: request.prefix, name: "", text: "",
            contents: docsText(Self.contents) ?? "", found: (words, hits))
        return render(Page(title: "Search", tab: .docs, main: page.html), request, in: world)
    }

    /// The pages, as that of the contents lists them.
    var docsNames: [String] {
        docsText(Self.contents).map { text in
            text.matches(of: /\]\(([a-z0-9-]+)\.md/).map { String($0.output.1) }.unique
        } ?? []
    }

    /// The source of a page; nil when there is none of that name.
    func docsText(_ name: String) -> String? {
        guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        else {
            return nil
        }
        return web.read("docs/\(name).md").map { String(decoding: $0, as: UTF8.self) }
    }
}

/// A page of the documentation, with the list of all beside it.
struct DocsPage {
    let base: String
    let prefix: String
    let name: String
    let text: String
    /// The source of the page whose lists name the others.
    let contents: String
    /// What was looked for, and what has it; nil for a page.
    var found: (words: String, hits: [DocsSearch.Hit])?

    private var page: Result<Markdown, any Error> { Result { try Markdown(text) } }

    var title: String { (try? page.get())?.title ?? name }

    var html: HTML {
        """
        <div class="docs" data-page="docs">
        <nav class="docs-list" aria-label="Documentation">
        <form class="docs-search" role="search" action="\(base)/docs" method="get">
        <input type="search" name="q" value="\(found?.words ?? "")" aria-label="Search the documentation" placeholder="Search all pages" \
        maxlength="\(TextSearch.longestWords)" autocomplete="off" spellcheck="false">
        </form>
        <p><a href="\(base)/docs"\(mark("index"))>Documentation</a></p>
        \(list)
        </nav>
        <article class="doc">
        \(article)
        </article>
        </div>
        """
    }

    /// A folder of `--web` may hold what we cannot show as a page: then it says why, and shows the source.
    private var article: HTML {
        if let found { return list(of: found.hits) }
        do {
            return try page.get().html(address)
        } catch {
            let reason = (error as? MarkdownError)?.sentence ?? ""
            return """
                <h1>\(name)</h1>
                <p class="caution">This page is shown as its source. \(reason)</p>
                <pre class="shell">
                \(text)</pre>
                """
        }
    }

    private func list(of hits: [DocsSearch.Hit]) -> HTML {
        let count = hits.isEmpty ? "No section has these words" : hits.count.counted("section")
        let lines = hits.prefix(DocsSearch.limit).map { hit -> HTML in
            let page: HTML = hit.page == hit.title ? .none : "<span class=\"about\">\(hit.page)</span>"
            return """
                <li><a href="\(base + hit.path)">\(hit.title)</a>\(page)<span class="words">\(hit.words)</span></li>
                """
        }
        return """
            <h1>Search</h1>
            <p class="about" id="docs-count">\(count)</p>
            <ol class="docs-hits">
            \(lines)
            </ol>
            """
    }

    /// The lists of the page of contents, without what they say about each page, and the sections of this one.
    private var list: HTML {
        guard let index = try? Markdown(contents) else { return .none }
        let parts = index.blocks.compactMap { block -> HTML? in
            switch block {
            case .heading(2, let title): "<h2>\(title.map(\.plain).joined())</h2>"
            case .list(_, let items): "<ul>\n\(items.compactMap(line))\n</ul>"
            default: nil
            }
        }
        return "\(parts)"
    }

    private func line(_ item: [Markdown.Block]) -> HTML? {
        guard case .paragraph(let words)? = item.first, case .link(let title, let to)? = words.first,
            let target = address(to)
        else { return nil }
        let name = String(to.prefix { $0 != "." })
        return """
            <li><a href="\(target)"\(mark(name))>\(title.map(\.plain).joined())</a>\(name == self.name ? sections : "")</li>
            """
    }

    private var sections: HTML {
        let found = ((try? page.get())?.sections ?? []).filter { $0.level == 2 }
        if found.isEmpty { return .none }
        let lines = found.map { "<li><a href=\"#\($0.id)\">\($0.title)</a></li>" as HTML }
        return """
            <ul>
            \(lines)
            </ul>
            """
    }

    private func mark(_ name: String) -> HTML { name == self.name ? " aria-current=\"page\"" : "" }

    /// Where an address of a page leads here; nil for a file of the sources, which the program does not have.
    private func address(_ written: String) -> String? {
        if written.hasPrefix("#") || written.hasPrefix("https://") || written.hasPrefix("http://") {
            return written
        }
        let (file, fragment) = (written.prefix { $0 != "#" }, written.drop { $0 != "#" })
        if file.hasSuffix(".md"), !file.contains("/") {
            return file == "index.md"
                ? base + "/docs" + fragment : base + "/docs/" + file.dropLast(3) + fragment
        }
        guard file.hasSuffix(".js") || file.hasSuffix(".svg") else { return nil }
        // `../NAME` is a file of the pages, `NAME` one beside the documentation.
        return prefix + "/_console/" + (file.hasPrefix("../") ? String(file.dropFirst(3)) : "docs/" + file)
    }
}
