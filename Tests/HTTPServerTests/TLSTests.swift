import HTTP
import HTTPServer
import Sockets
import TestKit
import Testing

struct TLSTests {
    private func context() throws -> TLSContext {
        try TestCertificate.withFile(TestCertificate.certificate) { certificate in
            try TestCertificate.withFile(TestCertificate.key) {
                try TLSContext(certificate: certificate, key: $0)
            }
        }
    }

    private func trusting() throws -> TLSContext {
        try TestCertificate.withFile(TestCertificate.certificate) {
            try TLSContext(verifies: true, authorities: $0)
        }
    }

    @Test func `requests come over TLS as they come without`() throws {
        let server = try TestServer(tls: context()) { request in
            .text("\(request.peer.isSecure) \(request.body.count)")
        }
        let client = try server.client(tls: trusting())

        #expect(try client.get("/").body == "true 0")
        let body = String(repeating: "x", count: 3_000_000)
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n" + body)
        #expect(try client.answer().body == "true 3000000")
        #expect(client.socket.tlsVersion == "TLSv1.3")
    }

    @Test func `web sockets work over TLS`() throws {
        let server = try TestServer(tls: context(), SocketBox().respond)
        let client = try server.client(tls: trusting())

        try client.upgrade()
        try client.send(.text("secret"))
        #expect(try client.frame() == .text("secret"))
        try client.send(.close(1000))

        #expect(try client.frame() == .close(1000))
        #expect(try client.rest() == "")
    }

    @Test func `pipelined requests and streams work over TLS`() throws {
        let box = StreamBox()
        let server = try TestServer(tls: context()) { $0.path == "/s" ? box.response() : TestServer.echo($0) }
        let client = try server.client(tls: trusting())

        try client.send((1...300).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        for number in 1...300 { #expect(try client.answer().body == "GET\n/\(number)\n") }

        try client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.head().status == 200)
        #expect(eventually { box.writers.count == 1 })
        #expect(box.writers[0].write([UInt8]("one".utf8)))
        #expect(try client.chunk() == "one")
        box.writers[0].close()
        #expect(try client.chunk() == nil)
    }

    @Test func `TLS 1.1 is refused`() throws {
        let server = try TestServer(tls: context())
        let client = try ClientSocket.connect(host: "127.0.0.1", port: server.port)

        // A ClientHello of RFC 4346 §7.4.1.2: version 3.2, no session, two cipher suites, no compression.
        let hello: [UInt8] =
            [3, 2] + [UInt8](repeating: 7, count: 32) + [0, 0, 4, 0xC0, 0x13, 0, 0x2F, 1, 0]
        try client.write([22, 3, 1, 0, UInt8(hello.count + 4), 1, 0, 0, UInt8(hello.count)] + hello)

        // An alert record, fatal, protocol_version. RFC 8446 §6
        let alert = try client.read()
        #expect(alert.first == 21)
        #expect(alert.suffix(2) == [2, 70])
        #expect(try client.read().isEmpty)
    }

    @Test func `one port answers TLS and plain HTTP, told apart by the first byte`() throws {
        let server = try TestServer(tls: context()) { .text("\($0.peer.isSecure)") }
        let (plain, secure) = (try server.client(), try server.client(tls: trusting()))

        for _ in 1...2 {
            #expect(try plain.get("/").body == "false")
            #expect(try secure.get("/").body == "true")
        }
        // RFC 9112 §2.2: an empty line before a request is passed over.
        let careless = try server.client()
        try careless.send("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try careless.answer().body == "false")
        #expect(server.notes.isEmpty)
    }

    @Test func `a client that speaks late, and byte by byte, is understood in both languages`() throws {
        let server = try TestServer(tls: context()) { .text("\($0.peer.isSecure)") }
        let plain = try server.client()
        try plain.send("G")
        try plain.send("ET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try plain.answer().body == "false")

        // A record of the handshake, RFC 8446 §5.1, that breaks off behind its first byte, and then is too long.
        let torn = try server.client()
        try torn.socket.write([22])
        try torn.socket.write([3, 1, 0xFF, 0xFF])
        #expect(try torn.take(1) == [21])
    }

    @Test func `web sockets work without TLS on a port that speaks it`() throws {
        let server = try TestServer(tls: context(), SocketBox().respond)
        let client = try server.client()

        try client.upgrade()
        try client.send(.text("open"))
        #expect(try client.frame() == .text("open"))
    }

    @Test func `what is neither HTTP nor TLS is told to be no request`() throws {
        let server = try TestServer(tls: context())
        let strange = try server.client()

        try strange.socket.write([0, 1, 2, 3, 4, 5, 6, 7, 13, 10, 13, 10])

        #expect(try strange.answer().status == 400)
        #expect(eventually { server.notes.count == 1 })
        guard case .noRequest? = server.notes.first else {
            Issue.record("\(server.notes)")
            return
        }
    }

    @Test func `where TLS alone is taken, plain HTTP is told so in plain HTTP, and hurts nobody`() throws {
        let server = try TestServer(tls: context(), takesTLSOnly: true)
        let plain = try server.client()

        try plain.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")

        let answer = try plain.answer()
        #expect(answer.status == 400)
        #expect(answer.body.contains("use https://"))
        // The end of the connection, not a reset.
        #expect(try plain.rest() == "")
        #expect(eventually { server.notes.count == 1 })
        guard case .plainOnTLS? = server.notes.first else {
            Issue.record("\(server.notes)")
            return
        }
        #expect(try server.client(tls: trusting()).get("/").status == 200)
    }

    @Test func `where TLS alone is taken, what is neither is closed without an answer`() throws {
        let server = try TestServer(tls: context(), takesTLSOnly: true)
        let strange = try server.client()

        try strange.socket.write([0, 1, 2, 3, 4, 5, 6, 7])

        _ = try? strange.rest()  // An alert of TLS, in whatever version.
        #expect(server.notes.isEmpty)
        #expect(try server.client(tls: trusting()).get("/").status == 200)
    }

    @Test func `a handshake that does not go on is ended`() throws {
        let server = try TestServer(tls: context(), limits: .with { $0.headSeconds = 0.2 })
        let silent = try server.client()

        #expect(try silent.rest() == "")
    }

    @Test func `a client that does not trust the certificate is told of, in the words of its alert`() throws {
        let server = try TestServer(tls: context())

        #expect(throws: SocketError.self) {
            try server.client(tls: TLSContext(verifies: true)).get("/")
        }

        #expect(eventually { server.notes.count == 1 })
        guard case .notTrusted(_, let alert)? = server.notes.first else {
            Issue.record("\(server.notes)")
            return
        }
        // RFC 8446 §6.2: of an authority that is not known.
        #expect(alert == "unknown ca")
    }

    @Test func `a connection too many is told so over TLS`() throws {
        let server = try TestServer(tls: context(), limits: .with { $0.connections = 1 })
        let first = try server.client(tls: trusting())
        #expect(try first.get("/").status == 200)

        #expect(try server.client(tls: trusting()).get("/").status == 503)
    }
}
