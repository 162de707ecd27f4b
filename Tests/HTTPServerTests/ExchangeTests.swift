import HTTP
import Sockets
import Testing

@testable import HTTPServer

/// RFC 9112 as a client sees it on one connection.
struct ExchangeTests {
    @Test func `an answer has a date, its length and the handler's fields`() throws {
        let server = try TestServer { _ in Response(headers: ["X-Mine": "1"], body: [UInt8]("hello".utf8)) }

        let answer = try server.client().get("/")

        #expect(answer.status == 200)
        #expect(answer.body == "hello")
        #expect(Set(answer.headers.keys) == ["date", "content-length", "x-mine"])
        #expect(answer.headers["date"]?.hasSuffix(" GMT") == true)
    }

    @Test func `a connection serves request after request`() throws {
        let server = try TestServer()
        let client = try server.client()

        for number in 1...20 { #expect(try client.get("/\(number)").body == "GET\n/\(number)\n") }
    }

    @Test func `a thousand requests in one write are answered in order`() throws {
        let server = try TestServer()
        let client = try server.client()

        try client.send((1...1000).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())

        for number in 1...1000 { #expect(try client.answer().body == "GET\n/\(number)\n") }
    }

    @Test func `an answer does not wait for the handler of the next pipelined request`() throws {
        let gate = Gate()
        let server = try TestServer { request in
            if request.path == "/wait" { gate.wait() }
            return TestServer.echo(request)
        }
        let client = try server.client()

        try client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /wait HTTP/1.1\r\nHost: a\r\n\r\n")

        #expect(try client.answer().body == "GET\n/1\n")
        gate.open()
        #expect(try client.answer().body == "GET\n/wait\n")
    }

    @Test func `HEAD gets the length but no body`() throws {
        let server = try TestServer()
        let client = try server.client()

        try client.send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.answer(toHead: true).headers["content-length"] == "8")
        #expect(try client.get("/b").body == "GET\n/b\n")
    }

    @Test func `a client that expects 100 is told to go on`() throws {
        let server = try TestServer()
        let client = try server.client()

        try client.send(
            "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.answer() == RawClient.Answer(status: 100))
        try client.send("hello")
        #expect(try client.answer().body == "POST\n/a\nhello")
    }

    @Test func `a chunked body is put together`() throws {
        let server = try TestServer()
        let client = try server.client()

        try client.send(
            "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n"
        )

        #expect(try client.answer().body == "POST\n/a\nhello world")
        #expect(try client.get("/b").body == "GET\n/b\n")
    }

    @Test func `Connection: close is obeyed`() throws {
        let server = try TestServer()
        let client = try server.client()

        try client.send("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")

        let answer = try client.answer()
        #expect(answer.body == "GET\n/a\n")
        #expect(answer.headers["connection"] == "close")
        #expect(try client.rest() == "")
    }

    @Test func `HTTP/1.0 closes unless the client asks otherwise`() throws {
        let server = try TestServer()
        let closing = try server.client()
        let staying = try server.client()

        try closing.send("GET /a HTTP/1.0\r\n\r\n")
        #expect(try closing.answer().body == "GET\n/a\n")
        #expect(try closing.rest() == "")

        for _ in 1...2 {
            try staying.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let answer = try staying.answer()
            #expect(answer.body == "GET\n/a\n")
            #expect(answer.headers["connection"] == "keep-alive")
        }
    }

    @Test func `an absolute target is a path and a host`() throws {
        let server = try TestServer { .text($0.path + " " + ($0.headers["Host"] ?? "")) }
        let client = try server.client()

        try client.send("GET http://example.org/a HTTP/1.1\r\nHost: other\r\n\r\n")

        // RFC 9112 §3.2.2: the target's host replaces the field's.
        #expect(try client.answer().body == "/a example.org")
    }

    @Test func `a client that has ended its own direction is still answered`() throws {
        let server = try TestServer()
        let client = try server.client()

        try client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n")
        client.socket.endWriting()

        #expect(try client.answer().body == "GET\n/a\n")
        #expect(try client.answer().body == "GET\n/b\n")
        #expect(try client.rest() == "")
    }

    @Test func `a half-closed client whose handler waits is still answered`() throws {
        let gate = Gate()
        let server = try TestServer { request in
            gate.wait()
            return TestServer.echo(request)
        }
        let client = try server.client()

        try client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(eventually { gate.waiting == 1 })
        client.socket.endWriting()
        gate.open()

        #expect(try client.answer().body == "GET\n/a\n")
        #expect(try client.rest() == "")
    }

    @Test func `the handler learns where the client is`() throws {
        let server = try TestServer { request in
            .text("\(request.peer.address) \(request.peer.isLoopback) \(request.peer.isSecure)")
        }

        #expect(try server.client().get("/").body == "127.0.0.1 true false")
    }

    @Test func `large bodies pass both ways`() throws {
        let server = try TestServer { Response(body: $0.body) }
        let client = try server.client()
        let body = String(repeating: "0123456789abcdef", count: 200_000)

        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)

        #expect(try client.answer().body == body)
    }
}
