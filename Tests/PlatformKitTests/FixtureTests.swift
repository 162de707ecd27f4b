import Essentials
import SQLite
import TestKit
import Testing

@testable import PlatformKit

@Suite struct FixtureTests {
    private func load(_ text: String) throws {
        let database = try Database(.memory)
        let loader = FixtureLoader(sections: [Acme.self])
        try database.migrate(loader.migrations)
        try loader.load(FixtureSet(text: Array(text.utf8), file: "my.json"), into: database)
    }

    /// Text of a file, and what the author is told.
    @Test(arguments: [
        ("", "my.json:1:1: expected a value, found the end of the file"),
        ("[]", "my.json:1:1: expected an object, found an array"),
        ("{\n  \"acme\": }", "my.json:2:11: expected a value, found “}”"),
        ("{\"acme\" {}}", "my.json:1:9: expected “:” after “acme”, found “{”"),
        (
            "{\"acme\": {} \"keys\": []}",
            "my.json:1:13: expected “,” or “}”, found “\"”"
        ),
        ("{\"acme\": {}} x", "my.json:1:14: expected the end of the file, found “x”"),
        ("{\"acme\": {}, \"acme\": {}}", "my.json:1:14: acme: this member appears twice"),
        ("{\"acme\": yes}", "my.json:1:10: expected a value, found “yes”; text needs quotes"),
        ("{\"acme\": 012}", "my.json:1:10: expected a value, found “012”; text needs quotes"),
        (
            "{\"a\": \"x\ny\"}",
            "my.json:1:9: expected the closing quote on this line, found the end of the line"
        ),
        ("{ /* no end", "my.json:1:3: this comment never ends"),
        (
            "{\"akme\": {}}",
            "my.json:1:2: akme: unknown section; did you mean “acme”?; known here: acme, calls, clock, codes, cors, faults, keys, people, upstreams"
        ),
        (
            "{\"acme\": {\"note\": []}}",
            "my.json:1:11: acme.note: unknown member; did you mean “notes”?; known here: greeting, notes"
        ),
        ("{\"acme\": []}", "my.json:1:10: acme: expected an object, found an array"),
        ("{\"acme\": {\"notes\": {}}}", "my.json:1:20: acme.notes: expected a list, found an object"),
        (
            "{\"acme\": {\n \"notes\": [\n  {\"id\": 7, \"body\": \"b\"}]}}",
            "my.json:3:10: acme.notes[0].id: expected a text in quotes, found 7"
        ),
        (
            "{\"acme\": {\"notes\": [{\"id\": \"a\"}]}}",
            "my.json:1:21: acme.notes[0]: the member “body” is missing"
        ),
        (
            "{\"acme\": {\"notes\": [{\"id\": \"a\", \"body\": \"b\", \"written\": \"soon\"}]}}",
            "my.json:1:57: acme.notes[0].written: expected a time such as “2026-01-02T03:04:05Z”, found “soon”"
        ),
        (
            "{\"acme\": {\"notes\": [{\"id\": \"a\", \"body\": \"forbidden\"}]}}",
            "my.json:1:41: acme.notes[0].body: expected another word"
        ),
        (
            "{\"clock\": {\"now\": \"9999-12-31T23:59:59Z\", \"offset_seconds\": 1}}",
            "my.json:1:19: clock.now: give either “now” or “offset_seconds”"
        ),
        (
            "{\"clock\": {\"offset_seconds\": 1e300}}",
            "my.json:1:30: clock.offset_seconds: expected a number that leads to a time from 1970 to 9999"
        ),
        (
            "{\"codes\": {\"a@example.com\": \"12345\"}}",
            "my.json:1:29: codes.a@example.com: expected 6 digits in quotes, such as “123456”, found “12345”"
        ),
        (
            "{\"codes\": {\"a b\": \"123456\"}}",
            "my.json:1:19: codes.a b: expected a mail address or a telephone number, found “a b”"
        ),
        (
            "{\"keys\": [{\"kid\": \"a\", \"alg\": \"RS256\", \"for\": \"akme\", \"pem\": []}]}",
            "my.json:1:47: keys[0].for: expected one of acme, found “akme”"
        ),
        (
            "{\"keys\": [{\"kid\": \"a\", \"alg\": \"none\", \"for\": \"acme\", \"pem\": []}]}",
            "my.json:1:31: keys[0].alg: expected a signature algorithm such as RS256 or ES256, found “none”"
        ),
    ])
    func `a fault is told with its place, its field and what was expected`(_ text: String, _ told: String) {
        let error = #expect(throws: FixtureError.self) { try load(text) }
        #expect(error?.description == told)
    }

    @Test func `comments, trailing commas, single quotes and bare names are read`() throws {
        try load(
            "// one\n{acme: {notes: [{id: 'a', 'body': \"it's \\u00e9 \\ud83d\\ude00\", /* two */ },],},}")
    }

    @Test func `nesting without end is refused, not followed`() {
        let error = #expect(throws: FixtureError.self) {
            try load("{\"acme\":" + String(repeating: "[", count: 100_000))
        }
        #expect(error?.reason.hasPrefix("at most 64 levels may be nested") == true)
    }

    @Test func `later files replace entries of the same id, add others, and override single settings`() throws
    {
        let first = try FixtureSet(
            text: Array(
                #"{"acme":{"greeting":"hi","notes":[{"id":"a","body":"1"},{"id":"b","body":"2"}]}}"#.utf8),
            file: "first.json")
        let second = try FixtureSet(
            text: Array(#"{"acme":{"notes":[{"id":"b","body":"3"},{"id":"c","body":"4"}]}}"#.utf8),
            file: "second.json")
        let merged = try first.merged(with: second).decode(Acme.Fixtures.self, section: "acme")
        #expect(merged.greeting == "hi")
        #expect(merged.notes?.map { $0.id + $0.body } == ["a1", "b3", "c4"])
    }

    private struct Entries: Decodable {
        struct Entry: Decodable {
            let client_id: String?
            let name: String?
            let jti: String?
            let text: String
        }

        let list: [Entry]
    }

    @Test(arguments: [
        (#"{"client_id": "a"}"#, #"{"client_id": "b"}"#), (#"{"name": "a"}"#, #"{"name": "b"}"#),
        (#"{"client_id": "a", "jti": "1"}"#, #"{"client_id": "a", "jti": "2"}"#),
    ])
    func `entries are told apart by what names them`(_ one: String, _ other: String) throws {
        func file(_ entries: [(String, String)]) throws -> FixtureSet {
            let list = entries.map { #"\#($0.0.dropLast()), "text": "\#($0.1)"}"# }.joined(separator: ",")
            return try FixtureSet(text: Array(#"{"acme": {"list": [\#(list)]}}"#.utf8), file: "a")
        }
        let merged = try file([(one, "1")]).merged(with: file([(other, "2"), (one, "3")]))
        #expect(try merged.decode(Entries.self, section: "acme").list.map(\.text) == ["3", "2"])
    }

    @Test func `an export gives the same state, and the same export, again`() throws {
        let fixtures = """
            {"clock": {"now": "2030-01-02T03:04:05.678Z"},
             "people": [{"id": "ada", "name": "Ada", "email": "ada@example.com", "story": "first"}],
             "acme": {"notes": [{"id": "a", "body": "b", "written": "2026-05-06T07:08:09.125Z"}]}}
            """
        let bench = try TestBench(Acme.self, fixtures: fixtures)
        let exported = try bench.worlds.export(bench.world)
        try bench.worlds.load(FixtureSet(text: exported, file: "export"), into: bench.world)
        #expect(try bench.worlds.export(bench.world) == exported)
        #expect(String(decoding: exported, as: UTF8.self).contains("\"2030-01-02T03:04:05.678Z\""))
    }
}
