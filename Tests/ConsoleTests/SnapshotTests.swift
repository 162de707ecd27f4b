import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Console

@Suite struct SnapshotTests {
    @Test func `a snapshot is taken, listed, restored, exported, taken over and deleted`() throws {
        let bench = try ConsoleBench()
        try bench.deliver("394857")
        let taken = bench.post("/snapshots", #"{"name": "mailed"}"#)
        #expect(taken.status == .created)
        #expect(taken.headers["Location"] == "/_understudy/v1/snapshots/mailed")
        #expect(taken.fields == ["name": "mailed", "takenAt": "2026-01-02T03:04:05.000Z"])
        #expect(bench.get("/snapshots/mailed").fields == taken.fields)
        #expect(bench.post("/snapshots", "{}").fields["name"] == "snapshot-1")
        #expect(bench.get("/snapshots").text.contains(#""snapshots":[{"name":"mailed","#))

        #expect(bench.delete("/outbox").status == .noContent)
        #expect(bench.send(.post, "/_understudy/v1/snapshots/mailed/restore").status == .noContent)
        #expect(bench.get("/outbox").text.contains("394857"))
        #expect(
            bench.world.journal.entries().first?.explanation
                == "The world was put back to its snapshot “mailed”; its clock says 2026-01-02T03:04:05.000Z."
        )

        _ = bench.post("/worlds", #"{"name": "blue", "from": {"world": "default", "snapshot": "mailed"}}"#)
        #expect(bench.send(.get, "/w/blue/_understudy/v1/outbox").text.contains("394857"))
        let file = bench.get("/snapshots/mailed/file")
        #expect(file.status == .ok && file.headers["Content-Disposition"]?.contains("mailed.sqlite") == true)
        var upload = Request(.put, "/w/blue/_understudy/v1/snapshots/copy/file")
        upload.body = file.bytes
        upload.context.origin = "http://localhost:8420"
        #expect(bench.send(upload).status == .created)
        #expect(bench.send(.get, "/w/blue/_understudy/v1/snapshots/copy").status == .ok)
        #expect(bench.delete("/snapshots/mailed").status == .noContent)
        #expect(bench.get("/snapshots/mailed").status == .notFound)
    }

    @Test func `a mistake is told, and nothing is changed`() throws {
        let bench = try ConsoleBench()
        _ = bench.post("/snapshots", #"{"name": "one"}"#)
        #expect(bench.post("/snapshots", #"{"name": "one"}"#).detail(409).hasPrefix("There is a snapshot"))
        #expect(bench.post("/snapshots", #"{"name": "A B"}"#).detail(400).contains("cannot be a snapshot's"))
        #expect(bench.post("/snapshots", #"{"title": "x"}"#).status == .badRequest)
        #expect(
            bench.post("/snapshots/two/restore", "").detail(404)
                == "The world “default” has no snapshot “two”; it has one.")
        #expect(bench.post("/snapshots/one/restore?clock=back", "").status == .badRequest)
        #expect(
            bench.put("/snapshots/two/file", "hello").detail(422).hasPrefix("The snapshot cannot be used"))
        let both = #"{"fixtures": {}, "from": {"world": "default", "snapshot": "one"}}"#
        #expect(bench.post("/worlds", both).detail(400).contains("not both"))
        #expect(
            bench.post("/worlds", #"{"from": {"world": "default", "snapshot": "none"}}"#).detail(404)
                .contains("has no snapshot"))
        #expect(bench.post("/worlds", #"{"from": {"world": "default"}}"#).status == .badRequest)
    }
}
