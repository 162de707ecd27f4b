import HTTP
import HTTPServer
import Sockets
import Testing

/// What is no request, or too much of one, gets its status, and then the connection ends without a reset.
struct RefusalTests {
    // RFC 9112 and RFC 9110; the sections stand beside the groups.
    @Test(arguments: [
        // RFC 9112 §6.1, §6.3
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5x\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        // RFC 9112 §7.1
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", 400),
        // RFC 9112 §5.1, §5.2, §2.2
        ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nNothing\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n", 400),
        // RFC 9112 §3.2
        ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
        // RFC 9110 §15.6.6, RFC 9112 §3
        ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        ("GET / a HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ])
    func `what is no request is refused and the connection closed`(request: String, status: Int) throws {
        let server = try TestServer()
        let client = try server.client()

        try client.send(request)

        let answer = try client.answer()
        #expect(answer.status == status)
        #expect(answer.headers["connection"] == "close")
        #expect(!answer.body.isEmpty)
        #expect(try client.rest() == "")
        #expect(eventually { server.notes.count == 1 })
        guard case .noRequest(_, let fault)? = server.notes.first else {
            Issue.record("\(server.notes)")
            return
        }
        #expect(fault.status.code == status && answer.body.hasPrefix(fault.reason))
    }

    // RFC 8446 §6 and appendix B.2: alert 40 is handshake_failure, 2 is fatal.
    @Test func `TLS spoken to plain HTTP is ended by a TLS alert, and told`() throws {
        let server = try TestServer()
        let client = try server.client()

        try client.socket.write([22, 3, 1, 0, 4, 1, 0, 0, 0])

        #expect(try client.take(7) == [21, 3, 1, 0, 2, 2, 40])
        #expect(try client.rest() == "")
        #expect(eventually { server.notes.count == 1 })
        guard case .tlsOnPlain(let peer)? = server.notes.first else {
            Issue.record("\(server.notes)")
            return
        }
        #expect(peer.localAuthority == "127.0.0.1:\(server.port)")
        #expect(throws: SocketError.self) {
            try ClientSocket.connect(
                host: "127.0.0.1", port: server.port, timeout: 10, tls: try TLSContext(verifies: false))
        }
    }

    @Test func `requests before a malformed one are answered`() throws {
        let server = try TestServer()
        let client = try server.client()

        try client.send(
            "GET /a HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n")

        #expect(try client.answer().body == "GET\n/a\n")
        #expect(try client.answer().status == 400)
        #expect(try client.rest() == "")
    }

    @Test func `a head beyond the limit is refused`() throws {
        let server = try TestServer(limits: .with { $0.headBytes = 1000 })
        let long = String(repeating: "x", count: 2000)

        let target = try server.client()
        try target.send("GET /\(long) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try target.answer().status == 414)
        #expect(try target.rest() == "")

        let field = try server.client()
        try field.send("GET / HTTP/1.1\r\nHost: a\r\nX: \(long)\r\n\r\n")
        #expect(try field.answer().status == 431)
        #expect(try field.rest() == "")
    }

    @Test func `a body beyond the limit is refused before it comes, and by the chunk`() throws {
        let server = try TestServer(smallLimit: 5, limits: .with { $0.bodyBytes = 100 })

        let declared = try server.client()
        try declared.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n")
        #expect(try declared.answer().status == 413)
        #expect(try declared.rest() == "")

        let chunked = try server.client()
        try chunked.send("POST /small HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n")
        #expect(try chunked.answer().status == 413)
        #expect(try chunked.rest() == "")

        let expecting = try server.client()
        try expecting.send(
            "POST /small HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\nExpect: 100-continue\r\n\r\n")
        #expect(try expecting.answer().status == 413)
    }

    @Test func `a client that sends on in spite of a refusal sees the refusal`() throws {
        let server = try TestServer(limits: .with { $0.bodyBytes = 100 })
        let client = try server.client()

        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4000000\r\n\r\n")
        try client.send(String(repeating: "x", count: 4_000_000))

        #expect(try client.answer().status == 413)
    }
}
