import Essentials
import HTTP
import TestKit
import Testing

@testable import Console

/// The documentation is searched in the program, which carries its text.
struct DocsSearchTests {
    private let bench: ConsoleBench
    private let console: Console

    init() throws {
        bench = try ConsoleBench()
        console = Console(
            worlds: bench.worlds, info: ConsoleInfo(version: "1", platforms: []),
            web: WebFiles(read: ConsoleBench.file), access: ControlAccess(token: nil))
    }

    private func found(_ words: String) throws -> [DocsSearch.Hit] {
        try #require(try DocsSearch(words)).hits(in: ["index"] + console.docsNames) {
            ConsoleBench.file("docs/\($0).md")
        }
    }

    @Test func `every heading leads where the page has it`() throws {
        for name in ["index"] + console.docsNames {
            let source = try #require(ConsoleBench.file("docs/\(name).md"))
            let page = try Markdown(String(decoding: source, as: UTF8.self))
            let sections = DocsSections(source).all
            #expect(sections.map(\.id) == page.sections.map(\.id), "\(name)")
            #expect(sections.map(\.title) == page.sections.map(\.title), "\(name)")
            #expect(sections.map(\.level) == page.sections.map(\.level), "\(name)")
        }
    }

    @Test func `all words stand in a section, its title or that of its page, whatever their case`() throws {
        #expect(try found("TestContainers kotlin").map(\.path) == ["/docs/ci#with-testcontainers"])
        #expect(try found("no-such-word-anywhere").isEmpty)
        #expect(try DocsSearch("  ") == nil)
    }

    @Test func `titles come first, and the words stand in what is shown`() throws {
        let hits = try found("snapshot")
        #expect(hits.first?.title.lowercased().contains("snapshot") == true && hits.count > 10)
        #expect(hits.allSatisfy { $0.words.utf8.count < 200 })
        let told = try #require(hits.first { !$0.title.lowercased().contains("snapshot") })
        #expect((told.words + told.page).lowercased().contains("snapshot"), "\(told)")
    }

    @Test func `marks and addresses of links are no text`() {
        let source =
            "# One `two`\n\nSee [the *other* page](other.md), `a*b[0]` and **all**.\n| x | y |\n|---|---|\n"
        let section = DocsSections(Array(source.utf8)).all.first
        #expect(section?.title == "One two" && section?.id == "one-two")
        #expect(
            section?.text.split(separator: " ").joined(separator: " ")
                == "See the other page, a*b[0] and all. x y")
    }

    @Test func `a page without scripts has the answers too`() {
        let page = bench.send(.get, "/w/default/docs?q=testcontainers+kotlin")
        #expect(page.status == .ok && page.text.contains("href=\"/w/default/docs/ci#with-testcontainers\""))
        #expect(page.text.contains("id=\"docs-count\">1 section<"))
        #expect(bench.send(.get, "/docs?q=xyzzyx").text.contains("No section has these words"))
        #expect(bench.send(.get, "/docs?q=").text == bench.send(.get, "/docs").text)
        #expect(bench.send(.get, "/docs?q=" + String(repeating: "x", count: 300)).status == .badRequest)
    }
}
