import Essentials
import Testing

@testable import Console

/// Browser and bench go through lists of pages of their own: each has every page that has an address of its own.
@Suite struct PageListTests {
    /// - Returns: the paths that stand in a file between two texts; those with a query are left out.
    private static func paths(in file: String, from start: String, to end: String) throws -> Set<String> {
        let text = try String(contentsOf: ConsoleBench.package.appending(path: file), encoding: .utf8)
        let list = try #require(text.split(separator: start).dropFirst().first?.split(separator: end).first)
        return Set(list.matches(of: /"(?:\{world\.url\})?(\/[^"?]*)"/).map { String($0.output.1) })
    }

    @Test(arguments: [
        ("Tests/Acceptance/test_console_axe.py", "\nPLACES = [", "]"),
        ("Tests/Acceptance/console_test.py", "\ndef pages(world, story):", "\n    }"),
        ("Tests/Bench/routes.py", "\nPAGES = [", "]"),
    ])
    func `every page is in the list`(_ file: String, _ start: String, _ end: String) throws {
        let paths = try Self.paths(in: file, from: start, to: end)
        for page in Console.pages.map(\.path) where !page.contains(":") {
            #expect(paths.contains(page), "\(file) has no \(page)")
        }
    }
}
