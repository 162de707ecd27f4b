import Essentials
import HTTP
import HTTPServer
import PlatformKit
import Sockets
import TestKit
import Testing

/// Web sockets of a platform: from the dispatcher's answer to the journal.
@Suite struct WebSocketTests {
    @Test func `a handler's web socket is opened, heard and answered`() throws {
        let bench = try TestBench(Acme.self)
        let socket = try bench.webSocket("/acme/socket", protocols: ["other", "notes"])
        #expect(socket.subprotocol == "notes")
        #expect(socket.received == ["welcome"])

        socket.send("one")
        socket.send([1, 2])

        #expect(socket.received == ["welcome", "1", "2"])
        #expect(socket.ended == nil)
    }

    @Test func `the answer passes the dispatcher unharmed`() throws {
        let bench = try TestBench(Acme.self)
        let response = try bench.webSocket("/acme/socket", headers: ["Origin": "http://page.example"])
            .response

        #expect(response.status == .switchingProtocols)
        #expect(response.headers["Upgrade"] == "websocket")
        #expect(response.headers["X-Request-Id"] == bench.journal.last?.correlation)
        #expect(response.headers["Access-Control-Allow-Origin"] == "http://page.example")
        #expect(bench.journal.last?.exchange?.status == 101)
    }

    @Test func `the journal tells how it ended`() throws {
        let bench = try TestBench(Acme.self)
        let socket = try bench.webSocket("/acme/socket?room=1")

        socket.close(.normal, "bye")
        socket.close(.goingAway)

        #expect(socket.ended == WebSocketClose(.normal, "bye"))
        #expect(
            bench.journal.map(\.event) == ["left", "web socket closed", "web socket message sent", nil])
        #expect(
            bench.journal.dropFirst().first?.explanation
                == "The web socket of /acme/socket?room=1 ended with 1000, “bye”.")
        #expect(Set(bench.journal.map(\.correlation)).count == 1)
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `the journal tells each message, in the order of what was said`() throws {
        let bench = try TestBench(Acme.self)
        let socket = try bench.webSocket("/acme/socket")
        socket.send("one")
        socket.send([0xFF, 1])
        socket.send(String(repeating: "a", count: 20_000))

        let told = bench.journal.reversed().compactMap(\.message)
        #expect(told.map(\.direction) == [.sent, .received, .sent, .received, .sent, .received, .sent])
        #expect(told.prefix(4).map(\.body.text) == ["welcome", "one", "1", "base64:/wE="])
        #expect(told[5].body.bytes.count == 16 * 1024 && told[5].body.fullCount == 20_000)
        let sentences = bench.journal.reversed().filter { $0.message != nil }.compactMap(\.explanation)
        #expect(
            sentences.prefix(4) == [
                "The client was told “welcome”.", "The client said “one”.", "The client was told “1”.",
                "The client said 2 bytes.",
            ])
        #expect(sentences[5].utf8.count < 250)
        #expect(Set(bench.journal.map(\.correlation)).count == 1)
        #expect(bench.misshapenExplanations == [])
        var query = Journal.Query()
        query.text = try TextSearch("ONE")
        #expect(bench.world.journal.entries(query).count == 1)
    }

    @Test func `nothing is told of a message that could not be sent`() throws {
        let bench = try TestBench(Acme.self)
        let socket = try bench.webSocket("/acme/socket")
        socket.send("leave")
        socket.send("unheard")

        #expect(bench.journal.compactMap(\.message).map(\.body.text) == ["leave", "welcome"])
    }

    @Test func `a handler that closes is told that it is closed`() throws {
        let bench = try TestBench(Acme.self)
        let socket = try bench.webSocket("/acme/socket")

        socket.send("leave")
        socket.send("unheard")

        #expect(socket.ended == WebSocketClose(.goingAway, "as you wish"))
        #expect(socket.received == ["welcome"])
        #expect(bench.journal.first?.explanation == "Somebody left with 1001.")
    }

    @Test func `a broken connection is 1006`() throws {
        let bench = try TestBench(Acme.self)
        try bench.webSocket("/acme/socket").vanish()

        #expect(bench.journal.first?.explanation == "Somebody left with 1006.")
    }

    @Test func `a request that is no handshake is refused and explained`() throws {
        let bench = try TestBench(Acme.self)

        let response = bench.get("/acme/socket")

        #expect(response.status == .upgradeRequired)
        #expect(response.headers["Sec-WebSocket-Version"] == "13")
        #expect(bench.explanation?.hasPrefix("A web socket is served here") == true)
        #expect(bench.misshapenExplanations == [])
        #expect(bench.send(.head, "/acme/socket").status == .methodNotAllowed)
        let notOpened = try #require(throws: WebSocketNotOpened.self) {
            try bench.webSocket("/acme/socket", headers: ["Sec-WebSocket-Version": "8"])
        }
        #expect(notOpened.response.status == .upgradeRequired)
        #expect(bench.reports.lines == [])
    }

    @Test func `a refusal in a callback is explained, and ends the socket`() throws {
        let bench = try TestBench(Acme.self)
        let socket = try bench.webSocket("/acme/socket")

        socket.send("refuse")

        #expect(socket.ended?.code == .internalError)
        let failed = bench.journal.first { $0.event == "web socket failed" }
        #expect(failed?.explanation == "There is no note \"socket\".")
        #expect(failed?.isBug == false)
    }

    @Test func `an error that nobody mapped is a bug in a callback too`() throws {
        let bench = try TestBench(Acme.self)
        let socket = try bench.webSocket("/acme/socket")

        socket.send("break")

        #expect(socket.ended?.code == .internalError)
        #expect(bench.journal.first { $0.event == "web socket failed" }?.isBug == true)
        #expect(bench.reports.lines.count == 1)
        #expect(bench.reports.lines.first?.contains("web socket /acme/socket") == true)
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `the end of the world closes its sockets`() throws {
        let bench = try TestBench(Acme.self)
        let socket = try bench.webSocket("/acme/socket")

        bench.worlds.close()

        #expect(socket.ended == WebSocketClose(.goingAway, "the world was closed"))
    }

    @Test func `a live client speaks to a platform through the dispatcher`() throws {
        struct Answering: Responder {
            let bench: TestBench<Acme>
            func respond(to request: Request) -> Response { bench.send(request) }
            func bodyLimit(_ method: Request.Method, _ path: String) -> Int? { nil }
        }
        let server = HTTPServer(limits: Limits(), responder: Answering(bench: try TestBench(Acme.self)))
        defer { server.stop(grace: 0) }
        guard case .tcp(_, let port) = try server.start(on: [.tcp(host: "127.0.0.1", port: 0)])[0] else {
            Issue.record("no port")
            return
        }
        let client = try ClientSocket.connect(host: "127.0.0.1", port: port)
        let handshake =
            "GET /acme/socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        // Behind the handshake, the masked “Hello” of RFC 6455 §5.7.
        try client.write(
            [UInt8](handshake.utf8) + [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])

        var heard: [UInt8] = []
        let frames: [UInt8] = [0x81, 7] + "welcome".utf8 + [0x81, 1] + "1".utf8
        while !heard.suffix(frames.count).elementsEqual(frames) {
            let piece = try client.read()
            if piece.isEmpty { break }
            heard += piece
        }

        let text = String(decoding: heard, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
        #expect(text.contains("\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
        #expect(heard.suffix(frames.count).elementsEqual(frames))
    }
}
