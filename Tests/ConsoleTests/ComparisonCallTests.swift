import Dispatch
import Essentials
import HTTP
import PlatformKit
import Synchronization
import TestKit
import Testing

@testable import Console

@Suite struct ComparisonCallTests {
    @Test func `a program that plays nothing says so`() throws {
        let bench = try ConsoleBench()

        #expect(bench.get("/comparison").text == #"{"state":"none"}"#)
        #expect(bench.post("/comparison", "[2]").detail(400).contains("must be a JSON object"))
        #expect(bench.post("/comparison", "{}").detail(409).contains("cannot play a recording"))
        #expect(bench.get("/comparison/report.json").detail(404) == "There is no comparison that is done.")
        #expect(bench.delete("/comparison").status == .noContent)
        #expect(bench.get("/comparison?wait=soon").status == .badRequest)
    }

    @Test func `one comparison runs at a time, and its worlds go when it fails`() throws {
        let center = ComparisonCenter()
        let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let deleted = Deleted()
        center.begin(
            { job in
                job.note(world: "compare-1")
                try job.advance(to: 1, of: 2)
                begun.signal()
                _ = goOn.wait(timeout: .now() + 10)
                try job.advance(to: 2, of: 2)
                throw ComparisonFailure("It ended.")
            }, delete: { deleted.add($0) }, work: .unlimited)

        try center.start(ComparisonOrder())
        #expect(begun.wait(timeout: .now() + 10) == .success)
        #expect(center.state.json == ["state": "running", "name": "recording", "done": 1, "total": 2])
        #expect(throws: ControlError.self) { try center.start(ComparisonOrder()) }
        center.discard()
        goOn.signal()
        center.stop(seconds: 10)
        #expect(center.state.json["reason"]?.string == "It was stopped." && deleted.names == ["compare-1"])
    }
}

/// Names of worlds that were to be deleted.
private final class Deleted: Sendable {
    private let list = Mutex<[String]>([])
    var names: [String] { list.withLock { $0 } }

    func add(_ name: String) { list.withLock { $0.append(name) } }
}
