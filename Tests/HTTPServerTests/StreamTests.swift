import HTTP
import HTTPServer
import Sockets
import Synchronization
import Testing

/// Answers that go on after their handler.
struct StreamTests {
    private func piece(_ text: String) -> [UInt8] { [UInt8](text.utf8) }

    @Test func `pieces arrive one by one and the connection goes on`() throws {
        let box = StreamBox()
        let server = try TestServer { $0.path == "/s" ? box.response() : TestServer.echo($0) }
        let client = try server.client()

        try client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n")
        let head = try client.head()
        #expect(head.headers["transfer-encoding"] == "chunked")
        #expect(head.headers["content-type"] == "text/event-stream")
        #expect(eventually { box.writers.count == 1 })
        for text in ["one", "two"] {
            #expect(box.writers[0].write(piece(text)))
            #expect(try client.chunk() == text)
        }
        box.writers[0].close()

        #expect(try client.chunk() == nil)
        #expect(try client.answer().body == "GET\n/next\n")
        #expect(box.ends == 1)
        #expect(!box.writers[0].write(piece("late")))
    }

    @Test func `what is written before start returns is sent`() throws {
        let server = try TestServer { _ in
            .events { writer in
                _ = writer.write([UInt8]("early".utf8))
                writer.close()
                return {}
            }
        }
        let client = try server.client()

        #expect(try client.get("/").body == "early")
        #expect(try client.get("/").body == "early")
    }

    /// A long answer of `count` pieces, and how many were made.
    private final class LongAnswer: Sendable {
        private let made = Mutex(0)
        let count: Int
        let fails: Bool

        init(_ count: Int, fails: Bool = false) { (self.count, self.fails) = (count, fails) }

        struct Broken: Error {}
        static let piece = [UInt8](repeating: 0x61, count: 64 * 1024)
        var pieces: Int { made.withLock { $0 } }

        var response: Response {
            var response = Response()
            response.body = .pieces(
                BodyPieces { [self] in
                    try made.withLock { made in
                        made += 1
                        if made <= count { return Self.piece }
                        if fails { throw Broken() }
                        return nil
                    }
                })
            return response
        }
    }

    @Test(arguments: ["HTTP/1.1", "HTTP/1.0"])
    func `a long answer comes whole, in pieces`(_ version: String) throws {
        let answer = LongAnswer(100)
        let server = try TestServer { $0.path == "/long" ? answer.response : TestServer.echo($0) }
        let client = try server.client()

        try client.send("GET /long \(version)\r\nHost: a\r\n\r\nGET /next \(version)\r\nHost: a\r\n\r\n")
        _ = try client.head()
        if version == "HTTP/1.0" {
            #expect(try client.rest().utf8.count == 100 * LongAnswer.piece.count)
        } else {
            for _ in 1...100 { #expect(try client.chunk()?.utf8.count == LongAnswer.piece.count) }
            #expect(try client.chunk() == nil)
            #expect(try client.answer().body == "GET\n/next\n")
        }
        #expect(answer.pieces == 101)
    }

    @Test func `a client that has gone, or does not read, is made no more of a long answer`() throws {
        let answer = LongAnswer(100_000)
        let server = try TestServer(limits: .with { $0.sendSeconds = 0.2 }) { _ in answer.response }
        let (gone, silent) = (try server.client(), try server.client())

        try gone.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try gone.head()
        gone.socket.close()
        try silent.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")

        #expect(eventually { server.server.figures.connections == 0 })
        // As many as the system's buffers take, for two.
        #expect(answer.pieces < 1_000)
    }

    @Test func `an answer to HEAD is made no piece of`() throws {
        let answer = LongAnswer(3)
        let server = try TestServer { _ in answer.response }
        let client = try server.client()

        try client.send("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(try client.head().status == 200)
        #expect(try client.rest() == "")
        #expect(answer.pieces == 0)
    }

    @Test func `a long answer that fails ends without its last chunk`() throws {
        let answer = LongAnswer(1, fails: true)
        let server = try TestServer { _ in answer.response }
        let client = try server.client()

        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try client.head()
        #expect(try client.chunk()?.utf8.count == LongAnswer.piece.count)
        #expect(try client.rest() == "")
    }

    @Test func `a 1.0 client gets the pieces without chunks, up to the end of the connection`() throws {
        let box = StreamBox()
        let server = try TestServer { _ in box.response() }
        let client = try server.client()

        try client.send("GET / HTTP/1.0\r\n\r\n")
        #expect(try client.head().status == 200)
        #expect(eventually { box.writers.count == 1 })
        #expect(box.writers[0].write(piece("one")))
        box.writers[0].close()

        #expect(try client.rest() == "one")
        #expect(eventually { box.ends == 1 })
    }

    @Test func `HEAD starts no stream`() throws {
        let box = StreamBox()
        let server = try TestServer { _ in box.response() }
        let client = try server.client()

        try client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")

        #expect(try client.answer(toHead: true).status == 200)
        #expect(box.writers.isEmpty)
    }

    @Test func `a stream ends once when its client has gone`() throws {
        let box = StreamBox()
        let server = try TestServer { _ in box.response() }
        let client = try server.client()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.head().status == 200)
        #expect(eventually { box.writers.count == 1 })

        client.socket.close()
        #expect(eventually { !box.writers[0].write(piece("anybody?")) })

        #expect(eventually { server.server.figures.connections == 0 })
        #expect(box.ends == 1)
        box.writers[0].close()
        #expect(box.ends == 1)
    }

    @Test func `a client that resets ends its stream without a write`() throws {
        let box = StreamBox()
        let server = try TestServer { _ in box.response() }
        let client = try server.client()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(eventually { box.writers.count == 1 })

        // Closing with bytes unread resets the connection; the head of the answer is unread.
        #expect(eventually { client.socket.isStale })
        client.socket.close()

        #expect(eventually { box.ends == 1 })
        #expect(!box.writers[0].write(piece("anybody?")))
    }

    @Test func `a half-closed client goes on receiving`() throws {
        let box = StreamBox()
        let server = try TestServer { _ in box.response() }
        let client = try server.client()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        client.socket.endWriting()
        #expect(eventually { box.writers.count == 1 })

        #expect(box.writers[0].write(piece("one")))
        #expect(try client.head().status == 200)
        #expect(try client.chunk() == "one")
        box.writers[0].close()
        #expect(try client.chunk() == nil)
        #expect(try client.rest() == "")
    }

    @Test func `a client that falls too far behind is dropped`() throws {
        let box = StreamBox()
        let server = try TestServer(limits: .with { $0.unsentBytes = 100_000 }) { _ in box.response() }
        let deaf = try server.client()
        try deaf.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(eventually { box.writers.count == 1 })

        let piece = [UInt8](repeating: 120, count: 50_000)
        var accepted = 0
        while accepted < 10_000, box.writers[0].write(piece) { accepted += 1 }

        #expect(accepted < 10_000)
        #expect(eventually { box.ends == 1 && server.server.figures.connections == 0 })
    }

    @Test func `a slow client gets every byte in order`() throws {
        let box = StreamBox()
        let server = try TestServer(limits: .with { $0.unsentBytes = 64 << 20 }) { _ in box.response() }
        let client = try server.client()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(eventually { box.writers.count == 1 })

        let pieces = (0..<200).map { String(repeating: "\($0),", count: 20_000) }
        for text in pieces { #expect(box.writers[0].write(piece(text))) }
        box.writers[0].close()

        #expect(try client.answer().body == pieces.joined())
    }
}
