import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Console

@Suite struct FaultTests {
    private static let down =
        #"{"match": {"platform": "acme", "to": 2}, "effect": {"answer": {"status": 503}}}"#

    @Test func `a fault is added, shown, replaced and deleted, and strikes meanwhile`() throws {
        let bench = try ConsoleBench()
        let added = bench.post("/faults", Self.down)
        #expect(added.status == .created)
        #expect(added.headers["Location"] == "/_understudy/v1/faults/answer-503")
        #expect(bench.post("/faults", Self.down).fields["name"] == "answer-503-2")
        #expect(bench.send(.get, "/acme/nowhere").status == .serviceUnavailable)
        #expect(bench.get("/faults/answer-503").fields["struck"] == "1")
        #expect(bench.get("/faults/answer-503-2").fields["struck"] == "0")
        #expect(bench.put("/faults/answer-503", Self.down).status == .ok)
        #expect(bench.get("/faults/answer-503").fields["struck"] == "0")
        #expect(bench.put("/faults/new", #"{"effect": {"drop": {"when": "after"}}}"#).status == .created)
        #expect(bench.get("/faults").text.contains(#""name":"new""#))
        #expect(bench.delete("/faults/new").status == .noContent)
        #expect(bench.delete("/faults/new").detail(.notFound).contains("There is no fault “new”"))
        #expect(bench.put("/faults", "{\"faults\": [\(Self.down)]}").status == .ok)
        #expect(bench.world.faults.map(\.name) == ["answer-503"])
        #expect(bench.delete("/faults").status == .noContent)
        #expect(bench.world.faults == [])
        #expect(bench.send(.get, "/acme/nowhere").status == .notFound)
    }

    @Test func `a bad fault is refused with the member that is wrong, and changes nothing`() throws {
        let bench = try ConsoleBench()
        _ = bench.post("/faults", #"{"name": "one", "effect": {"drop": {"when": "after"}}}"#)
        let unfit = bench.post("/faults", #"{"effect": {"answer": {"status": 99}}}"#)
        #expect(
            unfit.detail(.unprocessableContent)
                == "The fault is not valid, and nothing was changed: request body:1:34: effect.answer.status: expected a whole number, "
                + "200 to 599, found 99.")
        #expect(unfit.text.contains(#""field":"effect.answer.status""#))
        #expect(
            bench.put("/faults", #"{"faults": [{"effect": {"delay": {"seconds": "2"}}}]}"#).detail(
                .unprocessableContent
            )
            .contains("faults[0].effect.delay.seconds"))
        #expect(bench.put("/faults", "{}").detail(.unprocessableContent).contains("“faults” is missing"))
        #expect(
            bench.put("/faults/two", #"{"name": "three", "effect": {"drop": {"when": "after"}}}"#).status
                == .badRequest)
        #expect(
            bench.post("/faults", #"{"name": "one", "effect": {"drop": {"when": "after"}}}"#).detail(
                .conflict
            )
            .contains("There is a fault “one” already"))
        #expect(bench.post("/faults", "[]").status == .unprocessableContent)
        #expect(bench.world.faults.map(\.name) == ["one"])
    }

    @Test func `neither control API nor pages are struck`() throws {
        let bench = try ConsoleBench(fixtures: #"{"faults": [{"effect": {"drop": {"when": "before"}}}]}"#)
        #expect(bench.get("/health").status == .ok)
        #expect(bench.send(.get, "/faults").status == .ok)
        #expect(bench.send(.get, "/").status == .ok)
        #expect(bench.world.faults.map(\.seen) == [0])
    }

    @Test func `the page adds faults, tells what is wrong with one, and deletes`() throws {
        let bench = try ConsoleBench()
        #expect(bench.send(.get, "/faults").text.contains("No faults yet"))
        let form: Headers = [
            "Content-Type": "application/x-www-form-urlencoded", "Origin": "http://localhost:8420",
        ]
        func send(_ body: String) -> Response { bench.send(.post, "/faults", body: body, headers: form) }
        let added = send(
            "action=add&effect=delay&value=1s..3s&platform=acme&path=%2Fnotes%2F*&to=2&percent=50")
        #expect(added.status == .seeOther && added.headers["Location"] == "/faults")
        let page = bench.send(.get, "/faults").text
        #expect(
            page.contains("delays by 1 to 3 s") && page.contains("acme /notes/*, the first 2, 50 % of them"))
        let wrong = send("action=add&effect=delay&value=%3Csoon%3E&user=eva")
        #expect(wrong.status == .unprocessableContent)
        #expect(wrong.text.contains("looks like this: 2s, 1s..3s."))
        #expect(wrong.text.contains("value=\"&lt;soon&gt;\"") && wrong.text.contains("value=\"eva\""))
        #expect(
            send("action=add&effect=answer&value=99").text.contains(
                "effect.answer.status: expected a whole number"))
        #expect(bench.world.faults.count == 1)
        #expect(send("action=delete&name=delay").status == .seeOther)
        #expect(send("action=delete&name=delay").status == .notFound)
        #expect(bench.world.faults == [])
    }

    @Test func `what is often wanted is a button, and who deletes all is asked first`() throws {
        let bench = try ConsoleBench()
        func send(_ form: String) -> Response {
            bench.send(
                .post, "/faults", body: form,
                headers: ["Content-Type": "application/x-www-form-urlencoded"])
        }

        for preset in FaultPreset.all {
            #expect(send(Form.encode(preset.form)).status == .seeOther, "\(preset.title)")
        }
        #expect(bench.world.faults.count == FaultPreset.all.count)
        #expect(bench.send(.get, "/faults").text.contains("answers 503"))
        let asked = send("action=clear")
        #expect(asked.status == .ok && asked.text.contains("Delete all faults: are you sure?"))
        #expect(bench.world.faults.count == FaultPreset.all.count)
        #expect(send("action=clear&sure=yes").status == .seeOther && bench.world.faults == [])
    }
}
