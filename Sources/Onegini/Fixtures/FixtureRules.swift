import PlatformKit

/// What the loaders demand of single values, so that nothing that is done with them later can overflow or break a page.
enum FixtureRules {
    /// More of anything that is counted one by one.
    static let counts = 0...1_000_000
    /// From a second to thirty years.
    static let seconds = 1...1_000_000_000

    static func require(_ range: ClosedRange<Int>, _ number: Int, at path: [String]) throws {
        guard range.contains(number) else {
            throw FixtureProblem(
                at: path,
                "expected a number from \(range.lowerBound) to \(range.upperBound), found \(number)")
        }
    }

    /// A text that stands in paths, queries and quoted JSON as it is.
    static func requireName(_ text: String, at path: [String]) throws {
        let isPlain = text.utf8.allSatisfy { byte in
            0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || "-._".utf8.contains(byte)
        }
        guard isPlain, 1...200 ~= text.utf8.count else {
            throw FixtureProblem(
                at: path,
                "expected 1 to 200 letters, digits, - . and _ of ASCII, found \"\(text.prefix(60))\"")
        }
    }

    /// A URL that is sent in a header field as it is. Source: RFC 3986 §2.
    static func requireURL(_ text: String, at path: [String]) throws {
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw FixtureProblem(
                at: path,
                "expected a URL without white space and characters beyond ASCII, found \"\(text.prefix(60))\""
            )
        }
    }

    /// - Parameter member: the member of an entry that `name` was taken from.
    static func requireUnique<Entry>(
        _ entries: [Entry]?, _ list: String, _ member: String, name: (Entry) -> String
    ) throws {
        var seen: Set<String> = []
        for (index, entry) in (entries ?? []).enumerated() where !seen.insert(name(entry)).inserted {
            throw FixtureProblem(
                at: [list, String(index), member], "\"\(name(entry).prefix(60))\" stands here twice")
        }
    }
}
