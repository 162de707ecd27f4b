import HTTP
import Synchronization
import Testing

@testable import HTTPClient

/// Connections that serve one request after the other: when they do, when they must not, and what becomes of a request whose connection ends.
struct KeptConnectionTests {
    private static func answer(_ text: String, _ fields: String = "") -> String {
        "HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
    }

    private let time = HandSetTime()

    private func client(_ kept: KeptConnections) -> HTTPClient { HTTPClient(timeout: 5, kept: kept) }

    private func kept(most: Int = 8, mostOfPlace: Int = 8) -> KeptConnections {
        KeptConnections(most: most, mostOfPlace: mostOfPlace, time: time.time)
    }

    @Test(arguments: [Request.Method.get, .post])
    func `requests to one server share a connection`(_ method: Request.Method) throws {
        let server = try ScriptedServer([
            .send(Self.answer("1")), .read,
            .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n2\r\n0\r\n\r\n"), .read,
            .send("HTTP/1.1 204 No Content\r\n\r\n"), .read, .send(Self.answer("4")),
        ])
        let client = client(kept())

        let bodies = try (1...4).map { number in
            try client.send(method, server.url + "/\(number)", body: [UInt8]("\(number)".utf8)).text
        }

        #expect(bodies == ["1", "2", "", "4"])
        #expect(server.connections == 1)
        #expect(server.requests.map(\.path) == ["/1", "/2", "/3", "/4"])
        #expect(server.requests.allSatisfy { $0.headers["Connection"] == nil })
    }

    @Test func `the answer to HEAD leaves the connection open`() throws {
        let server = try ScriptedServer([
            .send("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n"), .read, .send(Self.answer("2")),
        ])
        let client = client(kept())

        _ = try client.stream(.head, server.url)

        #expect(try client.send(.get, server.url).text == "2")
        #expect(server.connections == 1)
    }

    @Test func `without kept connections each request has its own, and says so`() throws {
        let server = try ScriptedServer([.send(Self.answer("1")), .hold], [.send(Self.answer("2"))])
        let client = HTTPClient(timeout: 5)

        #expect(try [client.send(.get, server.url).text, client.send(.get, server.url).text] == ["1", "2"])
        #expect(server.connections == 2)
        #expect(server.requests.map { $0.headers["Connection"] } == ["close", "close"])
    }

    @Test(arguments: [
        answer("1", "Connection: close\r\n"), answer("1", "Connection: X-A, Close\r\n"),
        "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\n1",
        "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\n1",
        answer("1", "Keep-Alive: timeout=1, max=5\r\n"), answer("1", "Keep-Alive: timeout=0\r\n"),
        // Behind a whole answer nothing is due.
        answer("1") + answer("smuggled"), answer("1") + "\r\n",
    ])
    func `a connection that the server does not keep, or that has said too much, serves nobody else`(
        _ first: String
    ) throws {
        // Whoever used the first connection again would wait for an answer that never comes.
        let server = try ScriptedServer([.send(first), .hold], [.send(Self.answer("2"))])
        let client = client(kept())

        #expect(try client.send(.get, server.url).text == "1")
        #expect(try client.send(.get, server.url).text == "2")
        #expect(server.connections == 2)
    }

    @Test func `what comes unasked ends a connection that waits`() throws {
        let server = try ScriptedServer(
            [.send(Self.answer("1")), .pause, .send(Self.answer("unasked")), .say, .hold],
            [.send(Self.answer("2"))])
        let client = client(kept())
        #expect(try client.send(.get, server.url).text == "1")

        server.goOn()
        server.awaitWord()

        #expect(try client.send(.get, server.url).text == "2")
        #expect(server.connections == 2)
    }

    @Test(arguments: [Request.Method.get, .post])
    func `a connection that the server has closed meanwhile is replaced`(_ method: Request.Method) throws {
        let server = try ScriptedServer([.send(Self.answer("1"))], [.send(Self.answer("2"))])
        let client = client(kept())
        #expect(try client.send(.get, server.url).text == "1")
        server.awaitWord()

        #expect(try client.send(method, server.url).text == "2")
        #expect(server.connections == 2)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [Request.Method.get, .head, .put, .delete, .options])
    func `what may come twice is sent once more when its connection ends without a word`(
        _ method: Request.Method
    ) throws {
        let server = try ScriptedServer([.send(Self.answer("1")), .read], [.send(Self.answer("2"))])
        let client = client(kept())
        #expect(try client.send(.get, server.url).text == "1")

        #expect(try client.send(method, server.url, body: [1]).status == .ok)

        #expect(server.requests.map(\.method) == [.get, method, method])
        #expect(server.connections == 2)
    }

    @Test(arguments: [Request.Method.post, .patch])
    func `what may not come twice is not sent again`(_ method: Request.Method) throws {
        let server = try ScriptedServer([.send(Self.answer("1")), .read], [.send(Self.answer("2"))])
        let client = client(kept())
        #expect(try client.send(.get, server.url).text == "1")

        #expect(throws: ClientError.self) { try client.send(method, server.url, body: [1]) }

        #expect(server.requests.map(\.method) == [.get, method])
        #expect(try client.send(.get, server.url).text == "2")
    }

    @Test func `nothing is sent again once an answer has begun, nor over a new connection`() throws {
        let server = try ScriptedServer([.send(Self.answer("1")), .read, .send("HTTP/1.1 2")], [])
        let client = client(kept())
        #expect(try client.send(.get, server.url).text == "1")

        #expect(throws: ClientError.self) { try client.send(.get, server.url) }
        #expect(throws: ClientError.self) { try client.send(.get, server.url) }

        #expect(server.requests.count == 3)
        #expect(server.connections == 2)
    }

    @Test func `an answer that nobody reads to its end takes its connection with it`() throws {
        let server = try ScriptedServer(
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .hold], [.send(Self.answer("2"))])
        let client = client(kept())
        do {
            let stream = try client.stream(.get, server.url)
            #expect(try stream.next() == [UInt8]("abc".utf8))
        }

        #expect(try client.send(.get, server.url).text == "2")
        #expect(server.connections == 2)
    }

    @Test func `a stream gives its connection back with its last byte`() throws {
        let server = try ScriptedServer([.send(Self.answer("abc")), .read, .send(Self.answer("2"))])
        let client = client(kept())
        let stream = try client.stream(.get, server.url)
        #expect(try stream.next() == [UInt8]("abc".utf8))
        #expect(try stream.next() == nil)

        #expect(try client.send(.get, server.url).text == "2")
        // Whoever lets go of it later closes nothing.
        stream.close()
        #expect(server.connections == 1)
    }

    @Test func `after some seconds a connection that waits is closed`() throws {
        let server = try ScriptedServer([.send(Self.answer("1")), .hold])
        let kept = kept()
        _ = try client(kept).send(.get, server.url)
        #expect(kept.count == 1)

        time.pass(seconds: KeptConnections.seconds)

        #expect(kept.count == 0)
        server.awaitWord()
    }

    @Test func `the server's own time counts where it is shorter`() throws {
        let server = try ScriptedServer(
            [.send(Self.answer("1", "Keep-Alive: timeout=3\r\n")), .hold], [.send(Self.answer("2"))])
        let kept = kept()
        let client = client(kept)
        _ = try client.send(.get, server.url)

        time.pass(seconds: 2)

        #expect(kept.count == 0)
        #expect(try client.send(.get, server.url).text == "2")
    }

    @Test func `what may not come twice has a new connection when the last answer is long ago`() throws {
        let server = try ScriptedServer([.send(Self.answer("1")), .hold], [.send(Self.answer("2"))])
        let kept = kept()
        let client = client(kept)
        _ = try client.send(.get, server.url)

        time.pass(seconds: KeptConnections.secondsForOnce + 0.1)

        #expect(try client.send(.post, server.url).text == "2")
        #expect(server.connections == 2)
    }

    @Test func `of too many the oldest is closed`() throws {
        let servers = try (1...3).map { _ in try ScriptedServer([.send(Self.answer("1")), .hold]) }
        let kept = kept(most: 2)
        for server in servers { _ = try client(kept).send(.get, server.url) }

        servers[0].awaitWord()
        #expect(kept.count == 2)
    }

    @Test func `one server has a few of them alone`() throws {
        let server = try ScriptedServer(
            [.send(Self.answer("1")), .hold], [.send(Self.answer("2")), .hold])
        let other = try ScriptedServer([.send(Self.answer("3")), .hold])
        let kept = kept(mostOfPlace: 1)
        _ = try client(kept).send(.get, other.url)
        let streams = try (1...2).map { _ in try client(kept).stream(.get, server.url) }
        for stream in streams { #expect(try stream.next()?.count == 1) }

        server.awaitWord()
        #expect(kept.count == 2)
    }

    @Test func `connections without TLS and with other settings of TLS are other connections`() throws {
        let server = try ScriptedServer([.send(Self.answer("1")), .hold])
        let kept = kept()
        _ = try client(kept).send(.get, server.url)

        let settings = [HandSetTime(), HandSetTime()].map { ObjectIdentifier($0) }
        for tls in settings {
            let place = KeptConnections.Place(host: "127.0.0.1", port: server.port, tls: tls)
            #expect(kept.take(place, within: .infinity) == nil)
        }
        #expect(kept.count == 1)
    }
}

/// A clock that stands until it is moved, and calls back in the course of it.
private final class HandSetTime: Sendable {
    private struct Call {
        let due: Double
        let work: @Sendable () -> Void
    }

    private struct State {
        var now = 0.0
        var calls: [Call] = []
    }

    private let state = Mutex(State())

    var time: KeptConnections.Time {
        KeptConnections.Time(
            now: { [self] in state.withLock { $0.now } },
            later: { [self] seconds, work in
                state.withLock { $0.calls.append(Call(due: $0.now + seconds, work: work)) }
            })
    }

    func pass(seconds: Double) {
        let due = state.withLock { state in
            state.now += seconds
            defer { state.calls.removeAll { $0.due <= state.now } }
            return state.calls.filter { $0.due <= state.now }
        }
        for call in due { call.work() }
    }
}
