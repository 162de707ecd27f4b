import Essentials
import SQLite
import TestKit
import Testing

@testable import PlatformKit

/// All mistakes of a file at once.
@Suite struct FixtureFaultTests {
    private func faults(_ text: String) throws -> [String] {
        try FixtureSet(text: Array(text.utf8), file: "my.json").faults(of: [Acme.self]) { set in
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
                "my.json:8:2: clok: unknown section; did you mean “clock”?; known here: acme, clock, cors, faults, keys, people",
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
