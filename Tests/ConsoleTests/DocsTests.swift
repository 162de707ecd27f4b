import Essentials
import HTTP
import TestKit
import Testing

@testable import Console

@Suite struct DocsTests {
    static let pages = pageNames()

    private static func pageNames() -> [String] {
        let folder = ConsoleBench.package.appending(path: "Web/docs")
        // A folder that cannot be read has no pages, and the tests of each fail.
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }.sorted()
    }

    private func html(_ text: String) throws -> String {
        try Markdown(text).html { $0 }.text
    }

    @Test(arguments: pages)
    func `each page of the documentation is in our part of Markdown`(_ name: String) throws {
        let text = try #require(ConsoleBench.file("docs/\(name).md"))
        do {
            let page = try Markdown(String(decoding: text, as: UTF8.self))
            #expect(page.sections.filter { $0.level == 1 }.count == 1, "a page has one title")
            #expect(page.sections.first?.level == 1)
        } catch let error as MarkdownError {
            Issue.record("\(name).md: \(error.sentence)")
        }
    }

    @Test(arguments: [
        ("<b>bold</b>", 1), ("one\n\n\ttwo", 3), ("    code", 1), ("Title\n=====", 2), ("one\n---", 2),
        ("***", 1),
        ("* one", 1), ("+ one", 1), ("[a][b]", 1), ("[a]: http://example.test", 1),
        ("<http://example.test>", 1),
        ("a &amp; b", 1), ("a \\* b", 1), ("_emphasis_", 1), ("one  \ntwo", 1), ("~~no~~", 1),
        ("~~~\ncode\n~~~", 1),
        ("``code``", 1), ("a `b", 1), ("```sh\nnever ends", 1), ("- one\n\n- two", 2), ("- one\ntwo", 2),
        ("2. two", 1), ("1. one\n3. three", 2), ("- # title", 1), ("> one\ntwo", 2), (">one", 1),
        ("##### deep", 1),
        ("#no", 1), ("# closed #", 1), ("text\n| a |\n|---|\n| b |", 2), ("| a |\n| b |", 2),
        ("| a |\n|:-:|\n| b |", 2),
        ("| a | b |\n|---|---|\n| c |", 3), ("| a |\n|---|\n| b", 3), ("a *b", 1), ("2 * 3", 1),
        ("[a](b c)", 1),
        ("one\n\ntwo `three\nfour", 3),
    ])
    func `what is not in it is refused with its line`(_ text: String, _ line: Int) throws {
        do {
            Issue.record("taken as \(try html(text))")
        } catch let error as MarkdownError {
            #expect(error.line == line, "\(error.sentence)")
        }
    }

    @Test func `everything of a text is escaped`() throws {
        let page = try html(
            """
            # a < b & "c"

            `<script>` and [`<i>`](x?a="><b>&c)

            | `a \\| <b>` |
            |---|
            | < |

            ```sh
            <script>&amp;</script>
            ```
            """)
        #expect(page.firstMatch(of: /<(?:script|i|b)>/) == nil)
        #expect(page.contains("<h1 id=\"a--b--c\">a &lt; b &amp; &quot;c&quot;</h1>"))
        #expect(page.contains("<code>a | &lt;b&gt;</code>"))
        #expect(page.contains("&lt;script&gt;&amp;amp;&lt;/script&gt;"))
    }

    @Test func `two headings of one name have two ids, as on a forge`() throws {
        let sections = try Markdown("# One\n\n## In `two`, words\n\n## In two words\n").sections
        #expect(sections.map(\.id) == ["one", "in-two-words", "in-two-words-1"])
    }

    @Test(arguments: pages)
    func `a page stands in the console with the list of all beside it`(_ name: String) throws {
        let bench = try ConsoleBench()
        let page = bench.send(.get, "/docs/" + name)
        #expect(page.status == .ok && page.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(!page.text.contains("shown as its source"))
        for other in Self.pages where other != "index" {
            let isListed = page.text.contains("<li><a href=\"/docs/\(other)\"")
            #expect(isListed, "\(other) is not in the lists of index.md")
        }
        // The entry of the navigation, and the page in its list.
        #expect(page.text.matches(of: /aria-current="page"/).count == 2)

        let source = bench.send(.get, "/docs/\(name).md")
        #expect(source.headers["Content-Type"] == "text/markdown; charset=utf-8")
        #expect(source.bytes == ConsoleBench.file("docs/\(name).md"))
    }

    @Test func `links of the documentation stay in its world`() throws {
        let bench = try ConsoleBench()
        _ = bench.post("/worlds", "{\"name\": \"blue\"}")
        let page = bench.send(.get, "/w/blue/docs").text
        #expect(page.contains("<a href=\"/w/blue/docs/start\">"))
        #expect(!page.contains("href=\"/docs"))
        #expect(bench.send(.get, "/").text.contains("<a href=\"/docs\">"))
    }

    @Test(arguments: ["nothing", "nothing.md", "page.html", "..", "..%2F..%2FREADME", "index.md.md", "%FF"])
    func `no other file is a page`(_ name: String) throws {
        let page = try ConsoleBench().send(.get, "/docs/" + name, headers: ["Accept": "text/html"])
        #expect(page.status == .notFound)
    }

    @Test func `pages ask for the token where the console does`() throws {
        let page = try ConsoleBench(token: "secret").send(.get, "/docs/start")
        #expect(page.status == .unauthorized && !page.text.contains("script/server"))
    }
}
