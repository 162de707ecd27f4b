import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Console

@Suite struct ClockTests {
    @Test func `the clock is set, stopped and let go`() throws {
        let bench = try ConsoleBench()

        let set = bench.put("/clock", "{\"now\": \"2030-01-01T00:00:00Z\", \"frozen\": true}")
        #expect(set.fields["now"] == "2030-01-01T00:00:00.000Z" && set.fields["frozen"] == "true")
        bench.time.advance(seconds: 10)
        #expect(
            bench.get("/clock").fields == [
                "now": "2030-01-01T00:00:00.000Z", "frozen": "true", "offsetSeconds": "126132955",
                "shift": "frozen",
            ])
        #expect(bench.put("/clock", "{\"frozen\": false}").fields["frozen"] == "false")
        bench.time.advance(seconds: 10)
        #expect(bench.get("/clock").fields["now"] == "2030-01-01T00:00:10.000Z")
        #expect(
            bench.put("/clock", "{\"now\": null}").fields == [
                "now": "2026-01-02T03:04:25.000Z", "frozen": "false", "offsetSeconds": "0",
            ])
        #expect(bench.put("/clock", "{\"now\": null, \"frozen\": true}").fields["frozen"] == "true")
    }

    @Test func `the clock moves by what is asked`() throws {
        let bench = try ConsoleBench()

        #expect(
            bench.post("/clock/advance", "{\"seconds\": 300.5}").fields["now"] == "2026-01-02T03:09:05.500Z")
        #expect(
            bench.post("/clock/advance", "{\"seconds\": -0.5}").fields["now"] == "2026-01-02T03:09:05.000Z")
        let told = bench.world.journal.entries().map { $0.explanation ?? "" }
        #expect(told == ["The clock was moved back by 0.5 s.", "The clock was moved forward by 300.5 s."])
    }

    @Test func `the answer says what a moved clock does to tokens, and how to have real times in them`()
        throws
    {
        let bench = try ConsoleBench()

        let moved = bench.post("/clock/advance", "{\"seconds\": 3600}").fields["note"]
        #expect(moved?.contains("an iat that lies 3600 s in the future") == true)
        #expect(moved?.contains("{\"tokenTimes\": \"real\"}") == true)
        #expect(bench.get("/clock").fields["note"] == nil)
        let real = bench.put("/clock", "{\"tokenTimes\": \"real\"}").fields
        #expect(
            real == [
                "now": "2026-01-02T04:04:05.000Z", "frozen": "false", "tokenTimes": "real",
                "offsetSeconds": "3600",
                "shift": "+1 h",
            ])
        #expect(bench.post("/clock/advance", "{\"seconds\": 10}").fields["note"] == nil)
        #expect(bench.put("/clock", "{\"tokenTimes\": \"world\"}").fields["note"] != nil)
        #expect(
            bench.post("/clock/advance", "{\"seconds\": -3610}").fields["note"] == nil, "not ahead any more")
        #expect(bench.put("/clock", "{\"tokenTimes\": \"none\"}").status == .badRequest)
    }

    @Test func `the clock of a world is its own`() throws {
        let bench = try ConsoleBench()
        _ = bench.post("/worlds", "{\"name\": \"blue\"}")

        let moved = bench.send(
            .post, "/w/blue/_understudy/v1/clock/advance", body: "{\"seconds\": 60}",
            headers: ["Content-Type": "application/json"])
        #expect(moved.fields["now"] == "2026-01-02T03:05:05.000Z")
        #expect(bench.get("/clock").fields["now"] == "2026-01-02T03:04:05.000Z")
    }

    @Test(
        arguments: [
            (
                "{}",
                "The value of “seconds” must be a number of seconds, at most 3155760000 (100 years) either way, but is left out."
            ),
            (
                "{\"seconds\": \"60\"}",
                "The value of “seconds” must be a number of seconds, at most 3155760000 (100 years) either way, but is \"60\"."
            ),
            (
                "{\"seconds\": 1e999}",
                "The value of “seconds” must be a number of seconds, at most 3155760000 (100 years) either way, but is 1e999."
            ),
            (
                "{\"seconds\": 3155760001}",
                "The value of “seconds” must be a number of seconds, at most 3155760000 (100 years) either way, but is 3155760001.0."
            ),
            ("{\"seconds\": -3155760000}", "Expected a time from 1970 to 9999."),
        ])
    func `a move that leads nowhere is refused`(_ body: String, _ detail: String) throws {
        #expect(try ConsoleBench().post("/clock/advance", body).detail(400) == detail)
    }

    @Test(
        arguments: [
            "2026-01-02", "2026-01-02T03:04:05", "2026-01-02 03:04:05Z", "2026-1-2T3:4:5Z",
            "2026-13-02T03:04:05Z",
            "2026-01-02T25:04:05Z", "2100-02-29T00:00:00Z", "2026-01-02T03:04:05+24:00",
            "2026-01-02T03:04:05.Z", "2026-02-30T03:04:05Z", "0000-00-00T00:00:00Z",
            "9999-12-31T23:59:60+00:00", "\\u0000",
        ])
    func `a time that is none is refused`(_ time: String) throws {
        let bench = try ConsoleBench()

        #expect(!bench.put("/clock", "{\"now\": \"\(time)\"}").detail(400).isEmpty)
        #expect(bench.get("/clock").fields["now"] == "2026-01-02T03:04:05.000Z")
    }

    @Test func `a setting must say something`() throws {
        let bench = try ConsoleBench()

        #expect(bench.put("/clock", "{}").detail(400) == "Give “now”, “frozen” or “tokenTimes”.")
        #expect(
            bench.put("/clock", "{\"frozen\": 1}").detail(400)
                == "The value of “frozen” must be true or false, but is 1."
        )
    }
}
