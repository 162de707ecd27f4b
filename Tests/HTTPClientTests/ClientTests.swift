import HTTP
import HTTPClient
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

struct ClientTests {
    private let client = HTTPClient(timeout: 5)
    private let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test func `a request arrives as it was meant, and its answer comes back`() throws {
        let server = try ScriptedServer([
            .send("HTTP/1.1 409 Conflict\r\nX: y\r\nContent-Length: 5\r\n\r\n{\"a\"")
        ])
        let whole = try ScriptedServer([
            .send("HTTP/1.1 409 Conflict\r\nX: y\r\nContent-Length: 7\r\n\r\n{\"a\":1}")
        ])

        let response = try client.send(
            .post, whole.url + "/a%20b?c=d#e", headers: ["Content-Type": "x/y"], body: [UInt8]("hello".utf8))

        #expect(response.status == .conflict)
        #expect(response.headers["x"] == "y")
        #expect(response.text == "{\"a\":1}")
        #expect(try response.json([String: Int].self) == ["a": 1])
        let request = try #require(whole.requests.first)
        #expect((request.method, request.path, request.query) == (.post, "/a%20b", "c=d"))
        #expect(request.headers["Host"] == "127.0.0.1:\(whole.port)")
        #expect(request.headers["Content-Type"] == "x/y")
        #expect(request.body == [UInt8]("hello".utf8))
        #expect(
            throws: ClientError.malformedAnswer(
                "127.0.0.1:\(server.port)", "the server closed the connection in the middle of the body")
        ) { try client.send(.get, server.url) }
    }

    @Test(arguments: ["localhost", "hanko.localhost", "a.b.LOCALHOST"])
    func `localhost and what is under it is this machine`(_ host: String) throws {
        let server = try ScriptedServer([.send(ok)])

        let response = try client.send(.get, "http://\(host):\(server.port)/")

        #expect(response.text == "ok")
        #expect(server.requests.first?.headers["Host"] == "\(host):\(server.port)")
    }

    @Test func `the caller may name another host than the one that is called`() throws {
        let server = try ScriptedServer([.send(ok)])

        _ = try client.send(.get, server.url, headers: ["Host": "blue--hanko.localhost", "Accept": "a/b"])

        #expect(server.requests.first?.headers.values(of: "Host") == ["blue--hanko.localhost"])
        #expect(server.requests.first?.headers.values(of: "Accept") == ["a/b"])
    }

    @Test(arguments: [
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        "HTTP/1.0 200 OK\r\n\r\nok",
    ])
    func `a body ends by its chunks or with the connection`(_ answer: String) throws {
        let server = try ScriptedServer([.send(answer)])

        #expect(try client.send(.get, server.url).text == "ok")
    }

    @Test func `the answer to HEAD ends with its head`() throws {
        let server = try ScriptedServer([.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"), .hold])

        let response = try client.send(.head, server.url)

        #expect(response.body.isEmpty && response.headers["Content-Length"] == "2")
    }

    @Test func `nobody listening is said with host and port`() throws {
        let (descriptor, port) = try ScriptedServer.bound()
        defer { close(descriptor) }

        let error = #expect(throws: ClientError.self) { try client.send(.get, "http://127.0.0.1:\(port)/") }

        #expect(error == .cannotConnect("127.0.0.1:\(port)", "Connection refused"))
        #expect(error?.description == "cannot connect to 127.0.0.1:\(port): Connection refused")
    }

    @Test func `a host that does not exist is said by name`() {
        let error = #expect(throws: ClientError.self) {
            try client.send(.get, "http://understudy.invalid:81/")
        }

        guard case .cannotConnect("understudy.invalid:81", let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!reason.isEmpty && !reason.contains("understudy.invalid"))
    }

    @Test func `a server that hangs up without a word is an error`() throws {
        let server = try ScriptedServer([.interrupt("")])

        #expect(throws: ClientError.self) { try client.send(.get, server.url) }
    }

    @Test func `a refusal that comes before the request is sent whole is heard`() throws {
        let server = try ScriptedServer([
            .interrupt("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno")
        ])

        let response = try client.send(
            .post, server.url, body: [UInt8](repeating: 0, count: 32 * 1024 * 1024))

        #expect(response.status == .contentTooLarge && response.text == "no")
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel"])
    func `an answer that does not come in time is not waited for`(_ beginning: String) throws {
        let server = try ScriptedServer([.send(beginning), .hold])

        #expect(throws: ClientError.timedOut("127.0.0.1:\(server.port)", seconds: 0.1)) {
            try HTTPClient(timeout: 0.1).send(.get, server.url)
        }
    }

    @Test func `an answer beyond the limit is not kept`() throws {
        let server = try ScriptedServer([
            .send("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "a", count: 11)), .hold,
        ])

        #expect(
            throws: ClientError.malformedAnswer(
                "127.0.0.1:\(server.port)", "the body is larger than the 10 bytes accepted here")
        ) { try HTTPClient(timeout: 5, bodyBytes: 10).send(.get, server.url) }
    }

    @Test func `TLS with a server that speaks none is an error, not a wait`() throws {
        let server = try ScriptedServer([.send("HTTP/1.1 400 Bad Request\r\n\r\n")])

        let error = #expect(throws: ClientError.self) {
            try HTTPClient(timeout: 5, trust: .anything).send(.get, "https://127.0.0.1:\(server.port)/")
        }

        guard case .notTrusted? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `what would break the request is not sent`() {
        let error = #expect(throws: ClientError.self) {
            try client.send(.get, "http://localhost:1/", headers: ["X": "a\r\nEvil: 1"])
        }

        #expect(error == .malformedRequest("the value of X has a line end or another control character"))
    }

    @Test func `a stream is read piece by piece, and a wait that was too short can be repeated`() throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        let server = try ScriptedServer([
            .send(head), .pause, .send("9\r\ndata: 1\n\n\r\n"), .pause, .send("1\r\nx\r\n0\r\n\r\n"),
        ])

        let stream = try client.stream(.get, server.url)

        #expect(stream.status == .ok && stream.headers["content-type"] == "text/event-stream")
        #expect(throws: ClientError.timedOut("127.0.0.1:\(server.port)", seconds: 0.05)) {
            try stream.next(timeout: 0.05)
        }
        server.goOn()
        #expect(try stream.next(timeout: 5) == [UInt8]("data: 1\n\n".utf8))
        server.goOn()
        #expect(try stream.next(timeout: 5) == [UInt8]("x".utf8))
        #expect(try stream.next(timeout: 5) == nil)
    }
}
