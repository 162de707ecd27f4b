import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Console

@Suite struct WorldTests {
    private struct Created: Decodable, Equatable {
        let name, baseURL: String
        let urls: [String: String]
    }

    private struct List: Decodable {
        struct World: Decodable {
            let name: String
            let live: Bool
            let createdAt, lastUsedAt, baseURL: String
            let urls: [String: String]
        }
        let worlds: [World]
    }

    @Test func `a world is made, listed, used and deleted`() throws {
        let bench = try ConsoleBench()

        let made = bench.post("/worlds", "{\"name\": \"blue\"}")
        #expect(made.status == .created)
        #expect(made.headers["Location"] == "/_understudy/v1/worlds/blue")
        #expect(
            try made.json(Created.self)
                == Created(
                    name: "blue", baseURL: "http://localhost:8420/w/blue",
                    urls: ["acme": "http://localhost:8420/w/blue/acme"]))

        let listed = try bench.get("/worlds").json(List.self).worlds
        #expect(listed.map(\.name) == ["blue", "default"])
        #expect(listed.map(\.live) == [false, true])
        #expect(listed.map(\.baseURL) == ["http://localhost:8420/w/blue", "http://localhost:8420"])
        #expect(listed[1].urls == ["acme": "http://localhost:8420/acme"])
        #expect(listed[0].createdAt == "2026-01-02T03:04:05.000Z")

        #expect(bench.get("/worlds/blue").fields["live"] == "false", "looking does not touch a world")
        #expect(bench.send(.get, "/w/blue/acme/hello").text == "hello")
        #expect(bench.get("/worlds/blue").fields["live"] == "true")
        #expect(bench.delete("/worlds/blue").status == .noContent)
        #expect(bench.get("/worlds/blue").detail(404) == "There is no world “blue”, only default.")
        #expect(bench.delete("/worlds/blue").detail(404) == "There is no world “blue”, only default.")
        #expect(bench.send(.get, "/w/blue/_understudy/v1/clock").status == .notFound)
    }

    @Test func `a name is made up where none is given`() throws {
        let bench = try ConsoleBench()

        let (first, second) = (bench.post("/worlds", "{}"), bench.post("/worlds", "{\"name\": null}"))
        #expect(first.status == .created && second.status == .created)
        let name = try #require(first.fields["name"])
        #expect(name.wholeMatch(of: /[a-z0-9-]{1,40}/) != nil)
        #expect(name != second.fields["name"])
    }

    @Test func `a world is made by the name in the path`() throws {
        let bench = try ConsoleBench()

        let made = bench.put("/worlds/blue", "{\"clock\": \"2030-06-01T12:00:00Z\", \"frozen\": true}")
        #expect(made.status == .created && made.fields["name"] == "blue")
        #expect(made.headers["Location"] == "/_understudy/v1/worlds/blue")
        #expect(bench.send(.get, "/w/blue/_understudy/v1/clock").fields["frozen"] == "true")

        #expect(bench.put("/worlds/blue", "{}").detail(409).contains("There is a world “blue” already"))
        #expect(bench.send(.get, "/w/blue/_understudy/v1/clock").fields["frozen"] == "true", "left alone")
        #expect(bench.put("/worlds/Blue", "{}").status == .badRequest)
        #expect(bench.put("/worlds/green", "{\"name\": \"green\"}").status == .badRequest)
        #expect(bench.get("/worlds/green").status == .notFound)
    }

    @Test func `of several programs, the one that answers says so`() throws {
        #expect(try ConsoleBench(instance: "a").get("/worlds").fields["instance"] == "a")
        #expect(try ConsoleBench(instance: "a").get("/info").fields["instance"] == "a")
        #expect(try ConsoleBench().get("/worlds").fields["instance"] == nil)
    }

    @Test func `a world has the clock that was ordered`() throws {
        let bench = try ConsoleBench()

        let made = bench.post(
            "/worlds", "{\"name\": \"then\", \"clock\": \"2030-06-01T12:00:00+02:00\", \"frozen\": true}")
        #expect(made.status == .created)
        let clock = bench.send(.get, "/w/then/_understudy/v1/clock").fields
        #expect(clock["now"] == "2030-06-01T10:00:00.000Z" && clock["frozen"] == "true")
        #expect(bench.get("/clock").fields["now"] == "2026-01-02T03:04:05.000Z", "the other world goes on")
    }

    @Test func `worlds with the same seed draw the same`() throws {
        let bench = try ConsoleBench()
        for name in ["one", "two"] {
            _ = bench.post("/worlds", "{\"name\": \"\(name)\", \"seed\": 18446744073709551615}")
        }
        _ = bench.post("/worlds", "{\"name\": \"three\", \"seed\": 8}")

        let drawn = try ["one", "two", "three"].map { name in
            try #require(try bench.worlds.world(name)).services.entropy.digits(12, for: "test")
        }
        #expect(drawn[0] == drawn[1])
        #expect(drawn[0] != drawn[2])
    }

    @Test func `a world has the fixtures that were ordered`() throws {
        let bench = try ConsoleBench()

        let made = bench.post(
            "/worlds",
            """
            {"seed": 1, "fixtures": {"people": [
                {"id": "a, \\"}]", "name": "Ada", "email": "ada@example.com", "story": "Fresh."}
            ]}, "name": "mine"}
            """)
        #expect(made.status == .created)
        let people = try #require(try bench.worlds.world("mine")).people
        #expect(try people.all().map(\.id) == ["a, \"}]"])
        #expect(try bench.world.people.all().isEmpty)
    }

    @Test func `a fault in the fixtures is placed in the body`() throws {
        let bench = try ConsoleBench()

        let refused = bench.post("/worlds", "{\"name\": \"mine\",\n  \"fixtures\": {\"peeple\": []}}")
        #expect(refused.detail(422).contains("request body:2:16"))
        struct Problem: Decodable {
            struct Fault: Decodable {
                let line, column: Int
                let field, message: String
            }
            let errors: [Fault]
        }
        let fault = try #require(try refused.json(Problem.self).errors.first)
        #expect(fault.line == 2 && fault.column == 16)
        #expect(fault.field == "peeple")
        #expect(fault.message.hasPrefix("unknown section"))
        #expect(bench.worlds.names == ["default"])
    }

    @Test(
        arguments: [
            (
                "{\"name\": \"Blue\"}", Status.badRequest,
                "The name “Blue” cannot be a world's: it takes 1 to 40 of the characters a-z, 0-9 and -."
            ),
            (
                "{\"name\": \"\"}", 400,
                "The name “” cannot be a world's: it takes 1 to 40 of the characters a-z, 0-9 and -."
            ),
            (
                "{\"name\": 7}", 400,
                "The value of “name” must be 1 to 40 of the characters a-z, 0-9 and -, but is 7."
            ),
            (
                "{\"name\": \"default\"}", 409,
                "There is a world “default” already; reset it, delete it, or choose another name."
            ),
            (
                "{\"clock\": \"soon\"}", 400,
                "The value of “clock” must be a time such as “2026-01-02T03:04:05Z” (RFC 3339), but is “soon”."
            ),
            ("{\"clock\": \"1969-12-31T23:59:59Z\"}", 400, "Expected a time from 1970 to 9999."),
            (
                "{\"seed\": -1}", 400,
                "The value of “seed” must be a whole number from 0 to 18446744073709551615, but is -1."
            ),
            (
                "{\"seed\": 1.5}", 400,
                "The value of “seed” must be a whole number from 0 to 18446744073709551615, but is 1.5."
            ),
            ("{\"frozen\": \"yes\"}", 400, "The value of “frozen” must be true or false, but is \"yes\"."),
        ])
    func `an order that cannot be met is refused`(_ body: String, _ status: Status, _ detail: String) throws {
        let bench = try ConsoleBench()

        #expect(bench.post("/worlds", body).detail(status) == detail)
        #expect(bench.worlds.names == ["default"])
    }

    @Test func `the world default stays`() throws {
        let bench = try ConsoleBench()
        #expect(
            bench.delete("/worlds/default").detail(409)
                == "The world “default” cannot be deleted; reset it instead.")
    }

    @Test func `a reset world begins again`() throws {
        let bench = try ConsoleBench()
        try bench.deliver("111111")
        _ = bench.post("/clock/advance", "{\"seconds\": 60}")
        _ = bench.send(.get, "/acme/hello")

        #expect(bench.send(.post, "/_understudy/v1/worlds/default/reset").status == .noContent)
        #expect(bench.get("/outbox").text == "{\"messages\":[]}")
        #expect(bench.get("/clock").fields["now"] == "2026-01-02T03:04:05.000Z")
        #expect(bench.world.journal.entries().map(\.event) == ["world reset"])
        #expect(bench.send(.post, "/_understudy/v1/worlds/none/reset").status == .notFound)
    }
}
