import Dispatch
import Essentials
import HTTP
import TestKit
import Testing

@testable import Console
@testable import PlatformKit

@Suite struct RecordTests {
    private struct List: Decodable {
        struct One: Decodable { let id: String }
        struct New: Decodable { let kind: String }
        let records: [One]
        let new: [New]
    }

    private func ids(_ response: Response) throws -> [String] {
        try response.json(List.self).records.map(\.id)
    }

    /// A console in whose world ada has the device `a` and, ten seconds later, grace the device `b`.
    private func handed() throws -> ConsoleBench {
        let bench = try ConsoleBench()
        try Acme(bench.world).hand("a", to: "ada")
        bench.time.advance(seconds: 10)
        try Acme(bench.world).hand("b", to: "grace")
        return bench
    }

    /// Does something on another thread as soon as somebody waits.
    private func whenWatched(_ bench: ConsoleBench, _ body: @escaping @Sendable () throws -> Void) {
        DispatchQueue.global().async {
            while !bench.world.journal.isWatched {}
            do { try body() } catch { Issue.record(error) }
        }
    }

    // MARK: looking

    @Test(arguments: [
        "/records?state=", "/records?user=", "/flows/last?user=", "/journal?user=", "/outbox?to=",
    ])
    func `what is looked for has a length, since it is compared with thousands of things`(_ call: String)
        throws
    {
        let bench = try handed()

        #expect(bench.get(call + String(repeating: "a", count: 1024)).status != .badRequest)
        let refused = bench.get(call + String(repeating: "a", count: 1025))
        #expect(refused.status == .badRequest)
        #expect(refused.text.contains("must be at most 1024 bytes long, but is 1025 bytes long"))
    }

    @Test func `a record is given with everything that is known of it and can be done to it`() throws {
        let shown = try handed().get("/records/acme/a")

        #expect(shown.status == .ok)
        #expect(
            shown.fields == [
                "id": "a", "platform": "acme", "kind": "device", "title": "Phone of ada", "user": "ada",
                "state": "NEW", "createdAt": "2026-01-02T03:04:05.000Z", "code": "acme:a",
            ])
        #expect(shown.text.contains("\"facts\":[{\"name\":\"Note\",\"value\":\"none\"}]"))
        #expect(shown.text.contains("\"steps\":[{\"at\":\"2026-01-02T03:04:05.000Z\",\"state\":\"NEW\"}]"))
        let pin =
            "{\"long\":false,\"name\":\"pin\",\"preset\":\"1234\",\"required\":true,\"title\":\"PIN\"}"
        let colour =
            "{\"choices\":[\"red\",\"blue\"],\"long\":false,\"name\":\"colour\",\"required\":false,\"title\":\"Colour\"}"
        #expect(
            shown.text.contains(
                "{\"final\":false,\"inputs\":[\(pin),\(colour)],\"name\":\"enrol\",\"title\":\"Enrol\"}"))
        #expect(
            shown.text.contains("{\"final\":true,\"inputs\":[],\"name\":\"remove\",\"title\":\"Remove\"}"))
    }

    @Test func `records are listed newest first, and chosen, with what can be made`() throws {
        let bench = try handed()
        let all = bench.get("/records")
        #expect(try ids(all) == ["b", "a"])
        #expect(try all.json(List.self).new.map(\.kind) == ["device", "otp"])

        _ = bench.post("/records/acme/a/enrol", "{\"inputs\": {\"pin\": \"1\"}}")
        #expect(try ids(bench.get("/records?state=active")) == ["a"])
        #expect(try ids(bench.get("/records?user=grace")) == ["b"])
        #expect(try ids(bench.get("/records?platform=acme&kind=device&limit=1")) == ["b"])
        #expect(try ids(bench.get("/records?kind=user")) == [])
        let elsewhere = try bench.get("/records?platform=onegini").json(List.self)
        #expect(elsewhere.records.isEmpty && elsewhere.new.isEmpty)
        #expect(bench.get("/records?open=true").detail(400).hasPrefix("There is no parameter “open” here"))
    }

    @Test func `what is not there is told by platform and world`() throws {
        let bench = try handed()
        _ = bench.post("/worlds", "{\"name\": \"blue\"}")

        #expect(
            bench.send(.get, "/w/blue" + ConsoleBench.root + "/records/acme/a").detail(404)
                == "Acme has no record “a” in the world blue.")
        #expect(
            bench.get("/records/hanko/a").detail(404) == "There is no platform “hanko”, only acme.")
    }

    @Test func `the code is drawn, where there is one`() throws {
        let bench = try handed()
        let symbol = bench.get("/records/acme/a/qr")
        #expect(symbol.headers["Content-Type"] == "image/svg+xml")
        #expect(symbol.text.contains("aria-label=\"QR code of this device\""))

        _ = bench.post("/records/acme/a/enrol", "{\"inputs\": {\"pin\": \"1\"}}")
        #expect(bench.get("/records/acme/a/qr").detail(404) == "The device a has no code to show.")
    }

    // MARK: waiting

    @Test func `who waits for a record has it when it is made`() throws {
        let bench = try ConsoleBench()
        whenWatched(bench) { try Acme(bench.world).hand("a", to: "ada") }

        // Sixty seconds are the bound of a test that fails, not what it takes.
        #expect(try ids(bench.get("/records?user=ada&wait=60")) == ["a"])
    }

    @Test func `who waits for a state has it when it is reached, or else what there is`() throws {
        let bench = try handed()
        whenWatched(bench) {
            _ = bench.post("/records/acme/a/enrol", "{\"inputs\": {\"pin\": \"1\"}}")
        }
        #expect(bench.get("/records/acme/a?state=active&wait=60").fields["state"] == "ACTIVE")
        #expect(bench.get("/records/acme/b?state=active&wait=0.01").fields["state"] == "NEW")
        #expect(
            bench.get("/records/acme/c?wait=0.01").detail(404)
                == "Acme has no record “c” in the world default.")
    }

    // MARK: making

    @Test func `a record is made and noted in the journal`() throws {
        let bench = try ConsoleBench()
        let made = bench.post(
            "/records", "{\"platform\": \"acme\", \"kind\": \"device\", \"inputs\": {\"user\": \"ada\"}}")

        #expect(made.status == .created)
        #expect(made.fields["id"] == "of-ada" && made.fields["user"] == "ada")
        #expect(made.headers["Location"] == "http://localhost:8420/_understudy/v1/records/acme/of-ada")
        let entry = try #require(bench.world.journal.entries().first)
        #expect(entry.event == "record made" && entry.subject == "ada")
        #expect(entry.explanation == "The device of-ada was created at Acme.")
    }

    @Test func `what is made may be a transaction`() throws {
        let made = try ConsoleBench().post("/records", "{\"platform\": \"acme\", \"kind\": \"otp\"}")

        #expect(made.status == .created)
        #expect(made.fields["id"] == "asked" && made.fields["open"] == "true")
        #expect(made.headers["Location"] == "http://localhost:8420/_understudy/v1/transactions/asked")
    }

    @Test(
        arguments: [
            (
                "{\"platform\": \"none\", \"kind\": \"device\"}", 400,
                "The value of “platform” must be one of acme, but is “none”."
            ),
            (
                "{\"platform\": \"acme\"}", 400,
                "The value of “kind” must be a text that is not empty, but is left out."
            ),
            (
                "{\"platform\": \"\", \"kind\": \"device\"}", 400,
                "The value of “platform” must be a text that is not empty, but is empty."
            ),
            (
                "{\"platform\": \"acme\", \"kind\": \"user\"}", 400,
                "No “user” can be created here, only device, otp."
            ),
            (
                "{\"platform\": \"acme\", \"kind\": \"device\", \"inputs\": {\"user\": \"\"}}", 400,
                "The value “user” is missing."
            ),
            (
                "{\"platform\": \"acme\", \"kind\": \"device\", \"inputs\": {\"user\": 7}}", 400,
                "The value of “inputs” must be an object whose values are texts, but is {\"user\": 7}."
            ),
            (
                "{\"platform\": \"acme\", \"kind\": \"device\", \"inputs\": {\"user\": \"nobody\"}}", 409,
                "it was refused, because tests want a refusal"
            ),
        ])
    func `what cannot be made is refused with the reason`(
        _ body: String, _ status: Int, _ detail: String
    ) throws {
        let bench = try ConsoleBench()
        #expect(bench.post("/records", body).detail(Status(code: status)) == detail)
        #expect(try ids(bench.get("/records")) == [])
    }

    // MARK: acting

    @Test func `an action is done and noted in the journal`() throws {
        let bench = try handed()
        let done = bench.post(
            "/records/acme/a/enrol", "{\"inputs\": {\"pin\": \"7\", \"colour\": \"blue\"}}")

        #expect(done.status == .ok && done.fields["state"] == "ACTIVE")
        #expect(done.text.contains("{\"name\":\"Note\",\"value\":\"blue\"}"))
        let entry = try #require(bench.world.journal.entries().first)
        #expect(entry.event == "record changed" && entry.subject == "ada")
        #expect(
            entry.explanation
                == "The action “enrol” was applied to the device a of Acme: it was NEW and is ACTIVE now.")
    }

    @Test func `what is gone after an action has no content`() throws {
        let bench = try handed()
        // No body, and so no content type.
        #expect(bench.send(.post, ConsoleBench.root + "/records/acme/a/remove").status == .noContent)
        #expect(bench.get("/records/acme/a").status == .notFound)
        #expect(
            bench.world.journal.entries().first?.explanation
                == "The action “remove” was applied to the device a of Acme: it was deleted.")
    }

    @Test(
        arguments: [
            (
                "block", "{}", 400,
                "There is no action “block” here, only enrol, refuse, remove."
            ),
            ("enrol", "{}", 400, "The value “pin” is missing."),
            (
                "enrol", "{\"inputs\": {\"pin\": \"1\", \"color\": \"red\"}}", 400,
                "There is no input “color” here, only pin, colour."
            ),
            (
                "enrol", "{\"inputs\": {\"pin\": \"1\", \"colour\": \"green\"}}", 400,
                "The value of “colour” must be one of red, blue, but is “green”."
            ),
            (
                "enrol",
                "{\"inputs\": {\"pin\": \"" + String(repeating: "1", count: 10_001) + "\"}}", 400,
                "The value of “pin” must have at most 10000 characters, but has 10001."
            ),
            ("enrol", "{\"inputs\": {\"pin\": \"0000\"}}", 409, "Nobody takes 0000."),
            ("refuse", "{}", 409, "it was refused, because tests want a refusal"),
        ])
    func `an action that cannot be done is refused with the reason`(
        _ action: String, _ body: String, _ status: Int, _ detail: String
    ) throws {
        let bench = try handed()
        #expect(bench.post("/records/acme/a/" + action, body).detail(Status(code: status)) == detail)
        #expect(bench.get("/records/acme/a").fields["state"] == "NEW")
        let entry = try #require(bench.world.journal.entries().first)
        #expect(entry.event == "record not changed" && entry.subject == "ada")
        #expect(entry.explanation?.hasSuffix(detail) == true)
    }

    @Test func `nothing is done to what is not there`() throws {
        let bench = try handed()
        #expect(
            bench.post("/records/acme/c/enrol", "{}").detail(404)
                == "Acme has no record “c” in the world default.")
    }

    @Test func `a page of another site changes nothing`() throws {
        let bench = try handed()
        let evil: Headers = ["Origin": "https://evil.example"]
        #expect(bench.post("/records/acme/a/remove", "{}", headers: evil).status == .forbidden)
        let make = "{\"platform\": \"acme\", \"kind\": \"device\", \"inputs\": {\"user\": \"eve\"}}"
        #expect(bench.post("/records", make, headers: evil).status == .forbidden)
        #expect(try ids(bench.get("/records")) == ["b", "a"])
    }
}
