import Dispatch
import HTTP
import PlatformKit
import Synchronization
import TestKit
import Testing

@testable import Console

@Suite struct StreamTests {
    /// A client that reads a stream.
    private final class Reader: Sendable {
        private struct State {
            var text = ""
            var isClosed = false
            var isGone = false
        }

        private let state = Mutex(State())
        private let listening = Mutex<Listening?>(nil)

        init(_ response: Response) throws {
            guard case .stream(let stream) = response.body else {
                Issue.record("no stream: \(response.text)")
                return
            }
            let writer = BodyStream.Writer(
                write: { [self] bytes in
                    state.withLock { state in
                        state.text += String(decoding: bytes, as: UTF8.self)
                        return !state.isGone
                    }
                }, close: { [self] in state.withLock { $0.isClosed = true } })
            let ended = stream.start(writer)
            listening.withLock { $0 = Listening(end: ended) }
        }

        var text: String { state.withLock { $0.text } }
        var isClosed: Bool { state.withLock { $0.isClosed } }

        /// The ids of the events, in the order in which they came.
        var ids: [Int] { text.matches(of: /(?m)^id: (\d+)$/).compactMap { Int($0.output.1) } }

        /// Goes away, as the server tells it.
        func leave() { listening.withLock { $0 }?.end() }

        /// Can be written to no more.
        func vanish() { state.withLock { $0.isGone = true } }
    }

    @Test func `a stream greets and then tells messages as events`() throws {
        let bench = try ConsoleBench()
        try bench.deliver("before")
        let response = bench.get("/outbox/stream")
        #expect(response.headers["Content-Type"] == "text/event-stream")
        let reader = try Reader(response)
        #expect(reader.text == ": hello\nretry: 2000\n\n")

        try bench.deliver("394857", subject: "two\nlines")
        let lines = reader.text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(3)
        #expect(lines.count == 5 && lines.suffix(2) == ["", ""], "one event, ended by an empty line")
        #expect(lines.prefix(2) == ["event: message", "id: 2"])
        let data = try #require(lines.dropFirst(2).first)
        #expect(String(data.dropFirst("data: ".count)) == bench.get("/outbox/2").text, "as the list gives it")
    }

    @Test func `a stream tells journal entries as events`() throws {
        let bench = try ConsoleBench()
        let reader = try Reader(bench.get("/journal/stream"))

        _ = bench.send(.get, "/acme/hello")
        let data = try #require(reader.text.firstMatch(of: /event: entry\nid: 1\ndata: (.*)\n\n/)).output.1
        #expect(bench.get("/journal").text == "{\"entries\":[\(data)]}", "as the list gives it")
    }

    @Test func `a brief stream tells of an entry that it is there`() throws {
        let bench = try ConsoleBench()
        let readers = try ["", "?brief=true", "?brief=false", "?brief=true&after=0"].map {
            try Reader(bench.get("/journal/stream" + $0))
        }

        _ = bench.send(.get, "/acme/hello")
        let whole = try #require(readers[0].text.firstMatch(of: /data: (.*)\n\n/)).output.1
        let at = try #require(whole.firstMatch(of: /"at":"([^"]+)"/)).output.1
        for brief in [readers[1], readers[3]] {
            #expect(brief.text.hasSuffix("\n\nevent: entry\nid: 1\ndata: {\"at\":\"\(at)\",\"id\":1}\n\n"))
        }
        #expect(readers[2].text == readers[0].text)
        #expect(bench.get("/journal/stream?brief=1").detail(400).contains("brief"))
    }

    @Test(arguments: ["/outbox/stream", "/journal/stream"])
    func `a stream ends when its world is deleted`(_ path: String) throws {
        let bench = try ConsoleBench()
        var order = WorldOrder()
        order.name = "blue"
        _ = try bench.worlds.create(order)
        let root = "/w/blue" + ConsoleBench.root
        let reader = try Reader(bench.send(.get, root + path))
        #expect(!reader.isClosed)
        try bench.worlds.delete("blue")
        #expect(reader.isClosed)
    }

    @Test func `what was missed is replayed, and then the stream goes on`() throws {
        let bench = try ConsoleBench()
        for code in 1...3 {
            try bench.deliver(String(code))
            _ = bench.send(.get, "/acme/hello")
        }

        let readers = try [
            Reader(bench.get("/outbox/stream?after=1")), Reader(bench.get("/journal/stream?after=1")),
            Reader(bench.get("/outbox/stream?after=0", headers: ["Last-Event-ID": "1"])),
            Reader(bench.get("/journal/stream?after=0", headers: ["Last-Event-ID": "1"])),
        ]
        try bench.deliver("4")
        _ = bench.send(.get, "/acme/hello")
        for reader in readers { #expect(reader.ids == [2, 3, 4]) }
    }

    @Test func `a cursor from before a restart misses nothing`() throws {
        let bench = try ConsoleBench()
        try bench.deliver("1")
        _ = bench.send(.get, "/acme/hello")

        let headers: Headers = ["Last-Event-ID": "500"]
        let readers = try [
            Reader(bench.get("/outbox/stream", headers: headers)),
            Reader(bench.get("/journal/stream", headers: headers)),
        ]
        try bench.deliver("2")
        _ = bench.send(.get, "/acme/hello")
        for reader in readers { #expect(reader.ids == [1, 2]) }
    }

    @Test func `a stream has the filters of its list`() throws {
        let bench = try ConsoleBench()
        let messages = try Reader(bench.get("/outbox/stream?to=GRACE@example.com&after=0"))
        let entries = try Reader(bench.get("/journal/stream?status=4xx&after=0"))

        try bench.deliver("1")
        try bench.deliver("2", to: "grace@example.com")
        _ = bench.send(.get, "/acme/hello")
        _ = bench.send(.get, "/acme/lost")
        #expect(messages.ids == [2])
        #expect(entries.ids == [2])
    }

    @Test func `streams go on after a deletion and a reset`() throws {
        let bench = try ConsoleBench()
        let messages = try Reader(bench.get("/outbox/stream"))
        let entries = try Reader(bench.get("/journal/stream"))

        for code in 1...3 { try bench.deliver(String(code)) }
        _ = bench.delete("/outbox/3")
        _ = bench.delete("/journal")
        try bench.deliver("4")
        _ = bench.send(.post, "/_understudy/v1/worlds/default/reset")
        try bench.deliver("5")
        #expect(messages.text.matches(of: /"code":"(\d)"/).map { $0.output.1 } == ["1", "2", "3", "4", "5"])
        #expect(entries.ids.count == 1)
    }

    @Test func `nothing is missing and nothing comes twice, whoever writes meanwhile`() throws {
        let bench = try ConsoleBench()
        let count = 400
        let done = DispatchGroup()
        for _ in 1...2 {
            DispatchQueue.global().async(group: done) {
                for code in 0..<count / 2 {
                    try? bench.deliver(String(code))
                    bench.world.services.journal.event("noted", "a note")
                }
            }
        }
        var readers: [Reader] = []
        for _ in 1...10 {
            readers.append(try Reader(bench.get("/outbox/stream?after=0")))
            readers.append(try Reader(bench.get("/journal/stream?after=0")))
        }
        done.wait()

        for reader in readers { #expect(reader.ids == Array(1...count)) }
    }

    @Test func `a client that left is told nothing more and keeps nothing awake`() throws {
        let bench = try ConsoleBench()
        let readers = try [Reader(bench.get("/outbox/stream")), Reader(bench.get("/journal/stream"))]
        for reader in readers { reader.leave() }

        try bench.deliver("1")
        _ = bench.send(.get, "/acme/hello")
        for reader in readers { #expect(reader.ids == []) }
    }

    @Test func `a client that vanished harms nobody`() throws {
        let bench = try ConsoleBench()
        let vanished = try [Reader(bench.get("/outbox/stream")), Reader(bench.get("/journal/stream"))]
        let staying = try [Reader(bench.get("/outbox/stream")), Reader(bench.get("/journal/stream"))]
        for reader in vanished { reader.vanish() }

        try bench.deliver("1")
        _ = bench.send(.get, "/acme/hello")
        for reader in staying { #expect(reader.ids == [1]) }
    }

    @Test func `two worlds do not hear one another`() throws {
        let bench = try ConsoleBench()
        _ = bench.post("/worlds", "{\"name\": \"blue\"}")
        let blue = try Reader(bench.send(.get, "/w/blue/_understudy/v1/journal/stream"))
        let own = try Reader(bench.get("/journal/stream"))

        _ = bench.send(.get, "/w/blue/acme/hello")
        _ = bench.send(.get, "/acme/refuse")
        #expect(blue.ids == [1] && blue.text.contains("/w/blue/acme/hello"))
        #expect(own.ids == [1, 2] && !own.text.contains("blue"))
    }

    @Test func `an id that is none is refused`() throws {
        let bench = try ConsoleBench()
        #expect(
            bench.get("/journal/stream", headers: ["Last-Event-ID": "x"]).detail(400)
                == "The value of “Last-Event-ID” must be the id of an event, but is “x”.")
        #expect(bench.get("/outbox/stream?wait=1").status == .badRequest)
    }
}
