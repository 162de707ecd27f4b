import HTTP
import TestKit
import Testing

@testable import PlatformKit

/// What a fault makes of an answer that is there, and what the journal keeps of it.
@Suite struct SpoiltAnswerTests {
    /// Adds a field, and leaves the body alone.
    private struct HeaderEffect: SpoilsAnswers {
        static let key = "header"
        static let title = "a header field"
        static let form = "X-Mark"
        static let does = "adds this header field"

        let field: String

        init?(_ text: String) { field = text }

        var words: String { "adds \(field)" }
        var phase: FaultPhase { .answer(self) }

        func spoils(_: Response) -> Bool { true }

        func spoil(_ response: inout Response) { response.headers[field] = "yes" }

        func sentence(_ fault: String, spoiling _: Response) -> String { "The \(fault) added \(field)." }
    }

    private static func bench(_ effect: (any FaultEffect)?) throws -> TestBench<Acme> {
        let bench = try TestBench(Acme.self)
        let rule = FaultRule("odd", FaultMatch(), try #require(effect))
        _ = try bench.world.replaceFaults(with: [rule])
        return bench
    }

    @Test(arguments: ["truncate", "trickle", "drop", "reset", "header"])
    func `the journal keeps the answer as the platform gave it`(_ key: String) throws {
        let effect: (any FaultEffect)? =
            switch key {
            case "truncate": TruncateEffect("3")
            case "trickle": TrickleEffect("20/1ms")
            case "drop": DropEffect("after")
            case "reset": ResetEffect("after")
            default: HeaderEffect("X-Mark")
            }
        let bench = try Self.bench(effect)
        let answer = bench.get("/acme/where")
        #expect(bench.explanation?.hasPrefix("The fault “odd” ") == true)

        let kept = try #require(bench.journal.first?.exchange)
        #expect(kept.status == 200 && kept.responseHeaders["X-Mark"] == nil)
        #expect(kept.responseBody.text == "http://localhost:8420/acme")
        #expect(answer.headers["X-Mark"] == (key == "header" ? "yes" : nil))
    }

    @Test func `a web socket that is cut off is not opened, and one that is spoilt otherwise is followed`()
        throws
    {
        let cut = try Self.bench(DropEffect("after"))
        #expect(throws: WebSocketNotOpened.self) { try cut.webSocket("/acme/socket") }
        #expect(cut.journal.map { $0.exchange?.status } == [101])

        let marked = try Self.bench(HeaderEffect("X-Mark"))
        let socket = try marked.webSocket("/acme/socket")
        socket.send("one")
        socket.close()
        #expect(socket.response.headers["X-Mark"] == "yes")
        #expect(
            marked.journal.reversed().map(\.event) == [
                nil, "web socket message sent", "web socket message received", "web socket message sent",
                "web socket closed", "left",
            ])
    }
}
