import HTTP
import HTTPServer
import Sockets
import Synchronization
import Testing

/// Web sockets of a live server, spoken to in bytes.
struct WebSocketTests {
    private func opened(_ box: SocketBox, _ limits: Limits = Limits()) throws -> (TestServer, RawClient) {
        let server = try TestServer(limits: limits, box.respond)
        let client = try server.client()
        try client.upgrade()
        return (server, client)
    }

    @Test func `the answer proves that the key was read`() throws {
        let server = try TestServer(SocketBox().respond)
        let client = try server.client()

        try client.send(RawClient.handshake)
        let answer = try client.answer()

        #expect(answer.status == 101)
        #expect(answer.headers["connection"] == "Upgrade")
        #expect(answer.headers["upgrade"] == "websocket")
        // RFC 6455 §1.3.
        #expect(answer.headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(answer.headers["content-length"] == nil)
    }

    @Test func `a refused client can ask again on the same connection`() throws {
        let server = try TestServer(SocketBox().respond)
        let client = try server.client()

        #expect(try client.get("/").status == 426)
        try client.upgrade()
        try client.send(.text("hello"))

        #expect(try client.frame() == .text("hello"))
    }

    @Test func `a 1 0 client is refused`() throws {
        let server = try TestServer(SocketBox().respond)
        let client = try server.client()

        try client.send(RawClient.handshake.replacing("HTTP/1.1", with: "HTTP/1.0"))

        #expect(try client.answer().status == 426)
    }

    @Test func `frames that come with the handshake are heard`() throws {
        let box = SocketBox()
        let server = try TestServer(box.respond)
        let client = try server.client()
        let frames = RawClient.Frame.text("early").masked + RawClient.Frame.text("bird").masked

        try client.socket.write([UInt8](RawClient.handshake.utf8) + frames)

        #expect(try client.answer().status == 101)
        #expect(try client.frame() == .text("early"))
        #expect(try client.frame() == .text("bird"))
        #expect(box.events == ["opened", "early", "bird"])
    }

    @Test func `fragments make a message, and a ping between them is answered first`() throws {
        let (server, client) = try opened(SocketBox())
        defer { withExtendedLifetime(server) {} }

        try client.send(
            RawClient.Frame(first: 0x01, payload: [UInt8]("he".utf8)),
            RawClient.Frame(first: 0x89, payload: [UInt8]("you?".utf8)),
            RawClient.Frame(first: 0x8A, payload: [UInt8]("unasked".utf8)),
            RawClient.Frame(first: 0x00, payload: []),
            RawClient.Frame(first: 0x80, payload: [UInt8]("llo".utf8)))

        #expect(try client.frame() == .pong("you?"))
        #expect(try client.frame() == .text("hello"))
    }

    @Test func `two messages in one segment are two messages`() throws {
        let (server, client) = try opened(SocketBox())
        defer { withExtendedLifetime(server) {} }

        try client.send(.text("one"), RawClient.Frame(first: 0x82, payload: [0, 255]))

        #expect(try client.frame() == .text("one"))
        #expect(try client.frame() == RawClient.Frame(first: 0x82, payload: [0, 255]))
    }

    @Test func `a message that comes byte by byte is one message`() throws {
        let (server, client) = try opened(SocketBox())
        defer { withExtendedLifetime(server) {} }

        for byte in RawClient.Frame.text("slowly").masked { try client.socket.write([byte]) }

        #expect(try client.frame() == .text("slowly"))
    }

    @Test func `long messages go both ways`() throws {
        let (server, client) = try opened(SocketBox())
        defer { withExtendedLifetime(server) {} }
        for count in [65_535, 65_536, 1_048_576] {
            let text = String(repeating: "x", count: count)
            try client.send(.text(text))
            #expect(try client.frame() == .text(text))
        }
    }

    @Test func `any thread can send at once after the opening`() throws {
        let box = SocketBox()
        let (server, client) = try opened(box)
        defer { withExtendedLifetime(server) {} }
        #expect(eventually { box.senders.count == 1 })
        let sender = box.senders[0]

        let threads = try (0..<4).map { number in
            try Thread { for _ in 0..<50 { #expect(sender.send("from \(number)")) } }
        }
        var counts: [String: Int] = [:]
        for _ in 0..<200 {
            counts[String(decoding: try client.frame().payload, as: UTF8.self), default: 0] += 1
        }

        for thread in threads { thread.join() }
        #expect(counts == ["from 0": 50, "from 1": 50, "from 2": 50, "from 3": 50])
        #expect(sender.isOpen)
    }

    @Test func `callbacks of one socket run in order, one at a time, and hold up nobody else`() throws {
        let gate = Gate()
        let box = SocketBox { message, sender in
            if message == .text("wait") { gate.wait() }
            sender.send(message)
        }
        let (server, slow) = try opened(box)
        defer { gate.open() }
        let other = try server.client()
        try other.upgrade()
        #expect(eventually { box.senders.count == 2 })

        try slow.send(.text("wait"), .text("a"), .text("b"))
        #expect(eventually { gate.waiting == 1 })
        try slow.send(.text("c"))
        try other.send(.text("quick"))
        #expect(try other.frame() == .text("quick"))
        // What others send to the waiting one goes out meanwhile.
        #expect(box.senders.allSatisfy { $0.send("news") })
        #expect(try slow.frame() == .text("news"))
        #expect(!box.events.contains("a"))
        gate.open()

        for text in ["wait", "a", "b", "c"] { #expect(try slow.frame() == .text(text)) }
    }

    @Test func `callbacks of one socket never overlap`() throws {
        let box = SocketBox { message, sender in
            Wakeup().wait(seconds: 0.001)
            sender.send(message)
        }
        let (server, client) = try opened(box)
        defer { withExtendedLifetime(server) {} }

        for number in 0..<100 { try client.send(.text("\(number)")) }
        for number in 0..<100 { #expect(try client.frame() == .text("\(number)")) }
        try client.send(.close(1000))
        #expect(try client.frame() == .close(1000))

        #expect(eventually { box.closes.count == 1 })
        #expect(box.events == ["opened"] + (0..<100).map { "\($0)" } + ["closed"])
        #expect(box.mostRunning == 1)
    }

    @Test func `open sockets hold no thread, and count as connections`() throws {
        let box = SocketBox()
        let server = try TestServer(box.respond)
        let clients = try (0..<100).map { _ in
            let client = try server.client()
            try client.upgrade()
            return client
        }
        #expect(eventually { box.senders.count == 100 })

        #expect(server.server.figures.connections == 100)
        #expect(server.server.figures.threads < 20)
        #expect(box.senders.allSatisfy { $0.send("all") })
        for client in clients { #expect(try client.frame() == .text("all")) }
    }
}
