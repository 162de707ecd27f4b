import Embedded
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

/// The cast that the program brings along, on the way of the mobile guide.
struct CastTests {
    private func bench() throws -> TestBench<Hanko> {
        let file = try #require(EmbeddedFile.at("Fixtures/default.json"))
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        // The other platforms are not on this bench, nor their keys.
        let sections = try decoder.decode([String: Essentials.JSONValue].self, from: Data(file.bytes))
            .filter { ["people", "hanko"].contains($0.key) }
        return try TestBench<Hanko>(
            Hanko.self, fixtures: String(decoding: JSONEncoder().encode(sections), as: UTF8.self))
    }

    @Test func `there are four people, each with a story`() throws {
        let people = try bench().world.people.all()

        #expect(people.map(\.id) == ["ada", "grace", "linus", "margaret"])
        #expect(people.allSatisfy { !$0.story.isEmpty })
    }

    @Test(arguments: ["ada@example.com", "grace@example.com", "linus@example.com"])
    func `three of them sign in with a passcode and get the token in a header`(address: String) throws {
        let bench = try bench()
        let id = try #require(try bench.post("/hanko/user", ["email": address]).fields["id"])
        let (passcode, code) = try bench.startPasscode(for: id)

        let response = try bench.finishPasscode(passcode, code)
        let token = try #require(response.headers["X-Auth-Token"])
        #expect(response.headers.values(of: "Set-Cookie").isEmpty)
        #expect(bench.get("/hanko/me", headers: .bearer(token)).fields["id"] == id)
    }

    @Test func `margaret is found once she has confirmed her address`() throws {
        let bench = try bench()
        let lost = try bench.post("/hanko/user", ["email": "margaret@example.com"])
        #expect(lost.status == .notFound)

        let (passcode, code) = try bench.startPasscode(for: "a9011011-0000-4000-8000-000000000004")
        #expect(try bench.messages.first?.message.to.address == "margaret@example.com")
        #expect(try bench.finishPasscode(passcode, code).status == .ok)
        let found = try bench.post("/hanko/user", ["email": "margaret@example.com"])
        #expect(found.fields["id"] == "a9011011-0000-4000-8000-000000000004")
    }
}
