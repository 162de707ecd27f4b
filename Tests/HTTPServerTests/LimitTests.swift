import HTTP
import Sockets
import Testing

@testable import HTTPServer

/// What one client does costs no other.
struct LimitTests {
    @Test func `a head that takes too long gets 408`() throws {
        let server = try TestServer(limits: .with { $0.headSeconds = 0.2 })
        let client = try server.client()

        try client.send("GET / HTTP/1.1\r\nHo")

        #expect(try client.answer().status == 408)
        #expect(try client.rest() == "")
    }

    @Test func `a body that comes too slowly gets 408`() throws {
        let server = try TestServer(limits: .with { $0.bodyGraceSeconds = 0.2 })
        let client = try server.client()

        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\nabc")

        #expect(try client.answer().status == 408)
        #expect(try client.rest() == "")
    }

    @Test func `a body at the minimum rate is left alone`() throws {
        let server = try TestServer(
            limits: .with {
                $0.bodyGraceSeconds = 0.1
                $0.bodyBytesPerSecond = 0.001
            })
        let client = try server.client()

        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel")
        client.socket.timeout = 0.5
        #expect(throws: SocketError.self) { try client.answer() }
        client.socket.timeout = 10
        try client.send("lo")

        #expect(try client.answer().body == "POST\n/\nhello")
    }

    @Test func `a quiet connection is closed without a word`() throws {
        let server = try TestServer(limits: .with { $0.keepAliveSeconds = 0.2 })
        let fresh = try server.client()
        let used = try server.client()

        #expect(try used.get("/").status == 200)

        #expect(try used.rest() == "")
        #expect(try fresh.rest() == "")
        #expect(eventually { server.server.figures.connections == 0 })
    }

    @Test func `a connection too many gets 503 and the others go on`() throws {
        let server = try TestServer(limits: .with { $0.connections = 3 })
        let clients = try (1...3).map { _ in try server.client() }
        for client in clients { #expect(try client.get("/").status == 200) }

        let surplus = try server.client()
        let refused = try surplus.get("/")
        #expect(refused.status == 503)
        #expect(refused.headers["retry-after"] == "1")
        #expect(try surplus.rest() == "")
        #expect(eventually { server.notes.count == 1 })
        guard case .connectionsFull(_, 3)? = server.notes.first else {
            Issue.record("\(server.notes)")
            return
        }

        for client in clients { #expect(try client.get("/").status == 200) }
        clients[0].socket.close()
        surplus.socket.close()
        #expect(eventually { server.server.figures.connections == 2 })
        #expect(try server.client().get("/").status == 200)
    }

    @Test func `three hundred slow clients delay nobody and get 408`() throws {
        let server = try TestServer(limits: .with { $0.headSeconds = 1 })
        let slow = try (1...300).map { _ in try server.client() }
        let other = try server.client()

        for byte in "GET /s" {
            for client in slow { try client.send(String(byte)) }
            #expect(try other.get("/").status == 200)
        }

        for client in slow { #expect(try client.answer().status == 408) }
    }

    @Test func `a client that does not read its answer is dropped`() throws {
        let server = try TestServer(limits: .with { $0.sendSeconds = 0.2 }) { request in
            request.path == "/big"
                ? Response(body: [UInt8](repeating: 120, count: 32 << 20)) : TestServer.echo(request)
        }
        let deaf = try server.client()

        try deaf.send(String(repeating: "GET /big HTTP/1.1\r\nHost: a\r\n\r\n", count: 3))

        #expect(eventually { server.server.figures.answered == 1 })
        #expect(try server.client().get("/").status == 200)
        #expect(eventually { server.server.figures.connections == 0 })
        #expect(server.server.figures.answered == 2)
    }

    @Test func `five hundred waiting handlers and five hundred streams leave room for a request`() throws {
        let gate = Gate()
        let box = StreamBox()
        let server = try TestServer { request in
            switch request.path {
            case "/wait":
                gate.wait()
                return TestServer.echo(request)
            case "/stream": return box.response()
            default: return TestServer.echo(request)
            }
        }
        let waiting = try (1...500).map { _ in try server.client() }
        let streaming = try (1...500).map { _ in try server.client() }

        for client in waiting { try client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n") }
        for client in streaming { try client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n") }
        // Threads are hired for handlers that wait unsaid only while the process is quiet, which other tests may delay.
        #expect(eventually(120) { gate.waiting == 500 && box.writers.count == 500 })

        #expect(try server.client().get("/now").body == "GET\n/now\n")
        #expect(gate.waiting == 500)
        // Streams cost no threads: those that wait have theirs, and at most as many again stand by.
        #expect(server.server.figures.threads <= 1024)
        for writer in box.writers { #expect(writer.write([UInt8]("data: 1\n\n".utf8))) }
        for client in streaming {
            #expect(try client.head().status == 200)
            #expect(try client.chunk() == "data: 1\n\n")
        }
        gate.open()
        for client in waiting { #expect(try client.answer().body == "GET\n/wait\n") }
    }

    @Test func `a handler that says it waits is replaced at once, and its replacement goes when it is done`()
        throws
    {
        let gate = Gate()
        let waits = HandlerWaits()
        let server = try TestServer(waits: waits) { request in
            guard request.path == "/wait" else { return TestServer.echo(request) }
            waits.begin()
            defer { waits.end() }
            gate.wait()
            return TestServer.echo(request)
        }
        let fewest = server.server.figures.threads
        let waiting = try (1...50).map { _ in try server.client() }
        for client in waiting { try client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n") }

        #expect(eventually { gate.waiting == 50 })
        #expect(try server.client().get("/now").body == "GET\n/now\n")
        #expect(server.server.figures.threads >= 50 + fewest)

        gate.open()
        for client in waiting { #expect(try client.answer().body == "GET\n/wait\n") }
        #expect(eventually { server.server.figures.threads <= fewest + WorkerPool.surplus })
    }

    @Test func `what one client asks next waits, what others ask does not`() throws {
        let gate = Gate()
        let server = try TestServer { request in
            if request.path == "/wait" { gate.wait() }
            return TestServer.echo(request)
        }
        let client = try server.client()

        try client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(eventually { gate.waiting == 1 })
        #expect(try server.client().get("/other").body == "GET\n/other\n")
        #expect(server.server.figures.answered == 1)
        gate.open()

        #expect(try client.answer().body == "GET\n/wait\n")
        #expect(try client.answer().body == "GET\n/next\n")
    }
}
