import HTTP
import TestKit
import Testing

@testable import Console

@Suite struct ContractTests {
    @Test func `every call is described, and every description is a call`() throws {
        let described = try Contract().operations.map { "\($0.method) \($0.path)" }
        let calls = Console.calls.map { call in
            "\(call.method.rawValue) " + call.path.replacing(/:(\w+)/) { "{\($0.output.1)}" }
        }
        #expect(described.sorted() == calls.sorted())
    }

    @Test func `the description is served as it is`() throws {
        let bench = try ConsoleBench()

        #expect(bench.get("/openapi.json").bytes == ConsoleBench.file("openapi.json"))
        #expect(bench.send(.get, "/w/none/_understudy/v1/openapi.json").status == .notFound)
    }

    @Test func `the schema of fixture files is served, where the program carries one`() throws {
        let bench = try ConsoleBench()
        let served = bench.get("/schema.json")
        #expect(served.text == #"{"title":"A schema"}"#)
        #expect(served.headers["Content-Type"] == "application/schema+json")
        #expect(bench.get("/schema.json?version=1").status == .badRequest)
    }

    @Test func `the description of a platform's own protocol is served as it is`() throws {
        let bench = try ConsoleBench()

        let served = bench.get("/openapi/onegini-device.json")
        #expect(served.status == .ok && served.headers["Content-Type"] == "application/json")
        #expect(served.bytes == ConsoleBench.file("openapi/onegini-device.json"))
        for name in [
            "none.json", "onegini-device", "..%2Fopenapi.json", "%2E%2E.json", "ONEGINI-DEVICE.JSON",
        ] {
            #expect(bench.get("/openapi/" + name).detail(404).hasPrefix("There is no API description"))
        }
    }

    @Test func `what no call answers is explained`() throws {
        let bench = try ConsoleBench()

        #expect(
            bench.get("/outboxes").detail(404)
                == "There is no call /_understudy/v1/outboxes; GET /_understudy/v1/openapi.json lists all of them."
        )
        let refused = bench.send(.patch, "/_understudy/v1/outbox")
        #expect(
            refused.detail(405)
                == "The call /_understudy/v1/outbox does not answer PATCH, only DELETE, GET, HEAD, POST.")
        #expect(refused.headers["Allow"] == "DELETE, GET, HEAD, POST")
    }

    @Test func `a parameter that a call does not know is refused`() throws {
        let bench = try ConsoleBench()

        #expect(
            bench.get("/codes?recipient=ada").detail(400)
                == "There is no parameter “recipient” here; this call takes to, kind, after, used, wait.")
        #expect(bench.get("/health?verbose=1").detail(400).hasSuffix("this call takes none."))
        #expect(bench.get("/codes?to=a&to=b").detail(400) == "The parameter “to” is given twice.")
        #expect(
            bench.get("/codes?to=").detail(400)
                == "The value of “to” must be left out, or have a value, but is empty.")
    }

    @Test(
        arguments: [
            (
                "/codes?wait=61",
                "The value of “wait” must be a number of seconds from 0 to 60, but is “61”."
            ),
            (
                "/codes?wait=-1",
                "The value of “wait” must be a number of seconds from 0 to 60, but is “-1”."
            ),
            (
                "/codes?wait=nan",
                "The value of “wait” must be a number of seconds from 0 to 60, but is “nan”."
            ),
            (
                "/codes?wait=0x1p3",
                "The value of “wait” must be a number of seconds from 0 to 60, but is “0x1p3”."
            ),
            (
                "/outbox?limit=0",
                "The value of “limit” must be a whole number from 1 to 1000, but is “0”."
            ),
            (
                "/outbox?limit=1001",
                "The value of “limit” must be a whole number from 1 to 1000, but is “1001”."
            ),
            (
                "/outbox?limit=ten",
                "The value of “limit” must be a whole number from 1 to 1000, but is “ten”."
            ),
            ("/journal?after=-1", "The value of “after” must be a whole number, but is “-1”."),
            (
                "/journal?after=99999999999999999999",
                "The value of “after” must be a whole number, but is “99999999999999999999”."
            ),
            (
                "/journal?status=600",
                "The value of “status” must be a status such as 404, or a class such as 4xx, but is “600”."
            ),
            (
                "/journal?status=4x4",
                "The value of “status” must be a status such as 404, or a class such as 4xx, but is “4x4”."
            ),
            (
                "/journal?kind=mail",
                "The value of “kind” must be “request” or “event”, but is “mail”."
            ),
            ("/outbox/one", "The value of “id” must be the whole number of a message, but is “one”."),
        ])
    func `a parameter that is out of bounds is named, with what it must be`(_ call: String, _ detail: String)
        throws
    {
        #expect(try ConsoleBench().get(call).detail(400) == detail)
    }

    @Test(arguments: ["/clock", "/worlds", "/clock/advance", "/fixtures"])
    func `a body must be labelled as JSON`(_ call: String) throws {
        let bench = try ConsoleBench()
        let method: Request.Method = ["/clock", "/fixtures"].contains(call) ? .put : .post

        let plain = bench.send(
            method, ConsoleBench.root + call, body: "{}", headers: ["Content-Type": "text/plain"])
        #expect(plain.detail(415).hasSuffix("it came as “text/plain”."))
        let bare = bench.send(method, ConsoleBench.root + call, body: "{}")
        #expect(bare.detail(415).hasSuffix("it came without a content type."))
    }

    @Test(
        arguments: [
            "", "[]", "null", "7", "\"text\"", "{", "{\"now\"}", "{\"now\":}", "{} {}", "\u{FEFF}",
            "{\"now\":\"",
            "{\"\\", "{\"a\":1,}", "{'now': 1}", String(repeating: "[", count: 100_000),
            String(repeating: "{\"now\":", count: 100_000), "{\u{0}\"\u{0}",
        ])
    func `a body that is no JSON object is refused`(_ body: String) throws {
        let bench = try ConsoleBench()

        #expect(!bench.put("/clock", body).detail(400).isEmpty)
        #expect(bench.reports.lines == [])
    }

    @Test func `bytes that are no text are refused`() throws {
        let bench = try ConsoleBench()
        let request = Request(
            .put, "/_understudy/v1/clock",
            headers: ["Host": "localhost", "Content-Type": "application/json"],
            body: [0x7B, 0xFF, 0x7D])

        #expect(bench.send(request).detail(400) == "The body is not UTF-8 text.")
    }

    @Test func `members that a body must not have are refused`() throws {
        let bench = try ConsoleBench()

        #expect(
            bench.put("/clock", "{\"frozen\": true, \"noww\": null}").detail(400)
                == "There is no member “noww” here, only now, frozen, tokenTimes.")
        #expect(
            bench.put("/clock", "{\"frozen\": true, \"froz\\u0065n\": false}").detail(400)
                == "The member “frozen” is in the body twice.")
    }
}
