import Essentials
import SQLite
import TestKit
import Testing

@testable import PlatformKit

/// All mistakes of a file at once.
@Suite struct FixtureFaultTests {
    private func faults(_ text: String) throws -> [String] {
        try faults(FixtureSet(text: Array(text.utf8), file: "my.json"))
    }

    private func faults(_ set: FixtureSet) throws -> [String] {
        try set.faults(of: [Acme.self]) { set in
            let database = try Database(.memory)
            let loader = FixtureLoader(sections: [Acme.self])
            try database.migrate(loader.migrations)
            try loader.load(set, into: database)
        }.map(\.description)
    }

    @Test func `each mistake is told once, in the order of the file, with the places of the file`() throws {
        let text = """
            {"acme": {"greting": "hi",
              "notes": [
                {"id": 7, "body": "b"},
                {"id": "a", "body": "forbidden"},
                {"id": "b"},
                {"id": "c", "body": "good", "writen": "soon"},
                {"id": "d", "body": "forbidden"}]},
             "clok": {}}
            """
        #expect(
            try faults(text) == [
                "my.json:1:11: acme.greting: unknown member; did you mean “greeting”?; known here: greeting, notes",
                "my.json:3:12: acme.notes[0].id: expected a text in quotes, found 7",
                "my.json:4:25: acme.notes[1].body: expected another word",
                "my.json:5:5: acme.notes[2]: the member “body” is missing",
                "my.json:6:33: acme.notes[3].writen: unknown member; did you mean “written”?; known here: body, id, written",
                "my.json:7:25: acme.notes[4].body: expected another word",
                "my.json:8:2: clok: unknown section; did you mean “clock”?; known here: acme, calls, clock, codes, cors, faults, keys, people, upstreams",
            ])
    }

    @Test
    func `a missing member and a misspelt one beside it are one mistake, and the rest of the entry is read`()
        throws
    {
        let text = """
            {"acme": {"notes": [
                {"id": "a", "bdoy": "forbidden", "written": "soon"},
                {"body": "forbidden"},
                {"body": "b", "writen": "now"}]}}
            """
        #expect(
            try faults(text) == [
                "my.json:2:17: acme.notes[0].bdoy: unknown member; did you mean “body”, which is missing?",
                "my.json:2:25: acme.notes[0].body: expected another word",
                "my.json:2:49: acme.notes[0].written: expected a time such as “2026-01-02T03:04:05Z”, found “soon”",
                "my.json:3:5: acme.notes[1]: the member “id” is missing",
                "my.json:3:14: acme.notes[1].body: expected another word",
                "my.json:4:5: acme.notes[2]: the member “id” is missing",
                "my.json:4:19: acme.notes[2].writen: unknown member; did you mean “written”?; known here: body, id, written",
            ])
    }

    @Test func `a place in a list is that of the file, whatever it is laid over`() throws {
        let below = try FixtureSet(
            text: Array(#"{"acme": {"notes": [{"id": "a", "body": "b"}, {"id": "b", "body": "b"}]}}"#.utf8),
            file: "base.json")
        let mine = try FixtureSet(
            text: Array(#"{"acme": {"notes": [{"id": "c", "body": "b"}, {"id": "d", "body": 7}]}}"#.utf8),
            file: "my.json")
        #expect(
            try faults(below.merged(with: mine)) == [
                "my.json:1:67: acme.notes[1].body: expected a text in quotes, found 7"
            ])
    }

    @Test func `a file without a mistake has none, one that is no JSON has its first`() throws {
        #expect(try faults(#"{"acme": {"notes": [{"id": "a", "body": "b"}]}}"#) == [])
        #expect(throws: FixtureError.self) { try faults("{") }
    }

    @Test func `an empty list of keys is no wish`() throws {
        let told = try faults(#"{"keys": []}"#)
        #expect(told.count == 1 && told[0].hasPrefix("my.json:1:10: keys: there is no key"))
    }
}
