import HTTP
import Sockets
import Synchronization
import Testing

@testable import HTTPServer

struct StopTests {
    @Test func `stopping closes idle connections, ends streams and lets a request finish`() throws {
        let gate = Gate()
        let box = StreamBox()
        let server = try TestServer { request in
            if request.path == "/stream" { return box.response() }
            if request.path == "/wait" { gate.wait() }
            return TestServer.echo(request)
        }
        let idle = try server.client()
        let waiting = try server.client()
        let streaming = try server.client()
        #expect(try idle.get("/").status == 200)
        try waiting.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
        try streaming.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(eventually { gate.waiting == 1 && box.writers.count == 1 })

        let stopper = try Thread { server.server.stop(grace: 20) }
        #expect(try idle.rest() == "")
        #expect(try streaming.answer().body == "")
        #expect(try streaming.rest() == "")
        #expect(throws: SocketError.self) { try server.client() }
        gate.open()
        let answer = try waiting.answer()
        #expect(answer.body == "GET\n/wait\n")
        #expect(answer.headers["connection"] == "close")
        #expect(try waiting.rest() == "")

        stopper.join()
        #expect(box.ends == 1)
        #expect(server.server.figures == ServerFigures())
    }

    @Test func `a request that is half sent may still come`() throws {
        let server = try TestServer()
        let client = try server.client()
        try client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.answer().status == 100)

        let stopper = try Thread { server.server.stop(grace: 20) }
        #expect(eventually { (try? server.client()) == nil })
        try client.send("hello")

        #expect(try client.answer().body == "POST\n/a\nhello")
        stopper.join()
    }

    @Test func `a request that lies in the socket when the server stops is answered`() throws {
        let gate = Gate()
        let server = try TestServer { request in
            if request.path == "/wait" { gate.wait() }
            return TestServer.echo(request)
        }
        let client = try server.client()
        try client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(eventually { gate.waiting == 1 })
        try client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\nGET /last HTTP/1.1\r\nHost: a\r\n\r\n")

        let stopper = try Thread { server.server.stop(grace: 20) }
        #expect(eventually { (try? server.client()) == nil })
        gate.open()

        #expect(try client.answer().body == "GET\n/wait\n")
        #expect(try client.answer().body == "GET\n/next\n")
        let last = try client.answer()
        #expect(last.body == "GET\n/last\n")
        #expect(last.headers["connection"] == "close")
        #expect(try client.rest() == "")
        stopper.join()
    }

    @Test func `of clients that ask one request after the other none is reset by a stop`() throws {
        let server = try TestServer()
        let begun = Atomic<Int>(0)
        let failures = Mutex<[String]>([])
        let answered = Atomic<Int>(0)
        let askers = try (1...8).map { _ in
            try Thread {
                // Connects anew for every other request, and keeps the connection for the one between.
                while let client = try? server.client() {
                    do {
                        try client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
                        let first = try client.answer()
                        answered.add(1, ordering: .relaxed)
                        begun.add(1, ordering: .relaxed)
                        if first.headers["connection"] == "close" { continue }
                        try client.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
                        _ = try client.answer()
                        answered.add(1, ordering: .relaxed)
                    } catch is RawClient.Ended {
                        // It had been silent for too long before it asked: an end, and no reset.
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
            }
        }
        #expect(eventually { begun.load(ordering: .relaxed) > 200 })

        server.server.stop(grace: 20)
        for asker in askers { asker.join() }

        #expect(failures.withLock { $0 } == [], "of \(answered.load(ordering: .relaxed)) requests")
    }

    @Test func `a handler that outlasts the grace does not hold up the stop`() throws {
        let gate = Gate()
        let server = try TestServer { request in
            gate.wait()
            return TestServer.echo(request)
        }
        let client = try server.client()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(eventually { gate.waiting == 1 })

        let begun = System.uptime
        server.server.stop(grace: 0.1)

        #expect(System.uptime - begun < 10)
        #expect(throws: (any Error).self) { try client.answer() }
        gate.open()
    }

    @Test func `stopping twice, and before starting, does nothing`() throws {
        let server = try TestServer()
        server.server.stop(grace: 1)
        server.server.stop(grace: 1)

        struct Silent: Responder {
            func respond(to request: Request) -> Response { .noContent }
            func bodyLimit(_ method: Request.Method, _ path: String) -> Int? { nil }
        }
        HTTPServer(limits: Limits(), responder: Silent()).stop(grace: 1)
    }

    @Test func `the port is free again`() throws {
        let first = try TestServer()
        let port = first.port
        #expect(try first.client().get("/").status == 200)
        first.server.stop(grace: 1)

        let second = try TestServer(on: [.tcp(host: "127.0.0.1", port: port)])

        #expect(try second.client().get("/").status == 200)
    }
}
