import Essentials
import Testing

@testable import PlatformKit

/// Where a shape that cannot be read stands in the file, in each of the ways in which shapes read.
@Suite struct FixtureDecoderTests {
    private struct Shape: Decodable {
        struct Entry: Decodable {
            let id: String
            let count: Int8?
            let colour: Colour?
            let limits: [String: Int]?
            let inner: [[Bool]]?
        }

        enum Colour: String, Decodable, CaseIterable { case red, green }

        let entries: [Entry]?
        let even: Even?
        let pair: Pair?
        let word: Word?
    }

    /// Finds its own mistake, at a place below itself.
    private struct Even: Decodable {
        let numbers: [Int]

        enum CodingKeys: CodingKey { case numbers }

        init(from decoder: any Decoder) throws {
            numbers = try decoder.container(keyedBy: CodingKeys.self).decode([Int].self, forKey: .numbers)
            if let index = numbers.firstIndex(where: { $0 % 2 != 0 }) {
                throw FixtureProblem(at: ["numbers", String(index)], "expected an even number")
            }
        }
    }

    /// Read by containers within containers.
    private struct Pair: Decodable {
        enum CodingKeys: CodingKey { case both, first }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            var both = try values.nestedUnkeyedContainer(forKey: .both)
            let one = try both.nestedContainer(keyedBy: CodingKeys.self)
            _ = try one.decode(String.self, forKey: .first)
            _ = try both.decode(String.self)
        }
    }

    /// A text with a rule of its own.
    private struct Word: Decodable {
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if try container.decode(String.self).contains(" ") {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected one word")
            }
        }
    }

    /// - Parameter marked: the text of a file, with ‸ before what is meant.
    private func fault(in marked: String) throws -> (error: FixtureError, line: Int, column: Int) {
        let before = try #require(marked.split(separator: "‸", omittingEmptySubsequences: false).first)
        let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
        let set = try FixtureSet(
            text: Array(marked.replacing("‸", with: "").utf8), file: "my.json")
        let error = try #require(
            throws: FixtureError.self, performing: { _ = try set.decode(Shape.self, section: "acme") })
        return (error, lines.count, (lines.last?.unicodeScalars.count ?? 0) + 1)
    }

    @Test(arguments: [
        ("{\"acme\": ‸7}", "acme", "expected an object, found 7"),
        ("{\"acme\": {\n \"entries\": ‸{}}}", "acme.entries", "expected a list, found an object"),
        (
            "{\"acme\": {\"entries\": [{\"id\": \"a\"},\n  ‸\"b\"]}}", "acme.entries[1]",
            "expected an object, found “b”"
        ),
        (
            "{\"acme\": {\"entries\": [\n {\"id\": \"é😀\", \"count\": ‸128}]}}", "acme.entries[0].count",
            "expected a whole number from -128 to 127, found 128"
        ),
        (
            "{\"acme\": {\"entries\": [{\"id\": \"a\", \"colour\":\n\n ‸\"gren\"}]}}",
            "acme.entries[0].colour",
            "expected one of green, red, found “gren”; did you mean “green”?"
        ),
        (
            "{\"acme\": {\"entries\": [{\"id\": \"a\", \"limits\": {\"x\": 1,\n\"y\": ‸1.5}}]}}",
            "acme.entries[0].limits.y",
            "expected a whole number from -9007199254740991 to 9007199254740991, found 1.5"
        ),
        (
            "{\"acme\": {\"entries\": [{\"id\": \"a\", \"inner\": [[], [true,\n ‸null]]}]}}",
            "acme.entries[0].inner[1][1]", "expected true or false, found null"
        ),
        (
            "{\"acme\": {\"entries\": [\n  ‸{\"count\": 1}]}}", "acme.entries[0]",
            "the member “id” is missing"
        ),
        (
            "{\"acme\": {\"entries\": [{\"id\": \"a\",\n ‸\"colur\": \"red\"}]}}", "acme.entries[0].colur",
            "unknown member; did you mean “colour”?; known here: colour, count, id, inner, limits"
        ),
    ])
    func `a mistake is told where it stands`(_ text: String, _ field: String, _ reason: String) throws {
        let found = try fault(in: text)
        #expect(found.error.field == field)
        #expect(found.error.reason == reason)
        #expect((found.error.line, found.error.column) == (found.line, found.column))
    }

    @Test(arguments: [
        (
            "{\"acme\": {\"even\": {\"numbers\": [2, 4,\n  ‸5]}}}", "acme.even.numbers[2]",
            "expected an even number"
        ),
        (
            "{\"acme\": {\"pair\": {\"both\": [\n {\"first\": ‸1}, \"b\"]}}}", "acme.pair.both[0].first",
            "expected a text in quotes, found 1"
        ),
        (
            "{\"acme\": {\"pair\": {\"both\": [{\"first\": \"a\"},\n ‸[]]}}}", "acme.pair.both[1]",
            "expected a text in quotes, found an array"
        ),
        ("{\"acme\": {\"word\":\n  ‸\"two words\"}}", "acme.word", "expected one word"),
    ])
    func `a mistake that a shape finds itself is told where it stands`(
        _ text: String, _ field: String, _ reason: String
    ) throws {
        let found = try fault(in: text)
        #expect(found.error.field == field)
        #expect(found.error.reason == reason)
        #expect((found.error.line, found.error.column) == (found.line, found.column))
    }
}
