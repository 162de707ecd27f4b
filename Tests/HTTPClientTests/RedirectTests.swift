import HTTP
import HTTPClient
import Testing

struct RedirectTests {
    private let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private func redirect(_ status: Int, to location: String) -> ScriptedServer.Step {
        .send("HTTP/1.1 \(status) Moved\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
    }

    @Test func `a redirect is an answer unless the client was told to follow`() throws {
        let server = try ScriptedServer([redirect(302, to: "/b")])

        let response = try HTTPClient(timeout: 5).send(.get, server.url)

        #expect(response.status == .found && response.headers["Location"] == "/b")
    }

    /// Expected values: the examples of RFC 3986 §5.4 that a server can send.
    @Test(arguments: [
        ("/g", "/g", nil), ("g", "/b/c/g", nil), ("?y", "/b/c/d;p", "y"), ("g?y#s", "/b/c/g", "y"),
        ("#s", "/b/c/d;p", "q"),
    ])
    func `a reference is resolved against the URL that gave it`(
        _ reference: String, _ path: String, _ query: String?
    ) throws {
        let server = try ScriptedServer([redirect(307, to: reference)], [.send(ok)])

        let response = try HTTPClient(timeout: 5, redirects: 1).send(.get, server.url + "/b/c/d;p?q")

        #expect(response.text == "ok")
        #expect(server.requests.last?.path == path && server.requests.last?.query == query)
    }

    /// Expected values: RFC 9110 §15.4.
    @Test(arguments: [
        (301, "GET", ""), (302, "GET", ""), (303, "GET", ""), (307, "POST", "hello"), (308, "POST", "hello"),
    ])
    func `the status says whether the method and the body stay`(
        _ status: Int, _ method: String, _ body: String
    ) throws {
        let server = try ScriptedServer([redirect(status, to: "/b")], [.send(ok)])

        _ = try HTTPClient(timeout: 5, redirects: 1).send(.post, server.url, body: [UInt8]("hello".utf8))

        #expect(server.requests.last?.method.rawValue == method)
        #expect(server.requests.last?.body == [UInt8](body.utf8))
    }

    @Test func `credentials are not shown to another server`() throws {
        let other = try ScriptedServer([.send(ok)])
        let server = try ScriptedServer([redirect(302, to: "/a")], [redirect(302, to: other.url + "/b")])

        _ = try HTTPClient(timeout: 5, redirects: 2).send(
            .get, server.url, headers: ["Authorization": "Bearer x", "Cookie": "a=b", "X": "y"])

        #expect(server.requests.last?.headers["Authorization"] == "Bearer x")
        let last = try #require(other.requests.first)
        #expect(last.headers["Authorization"] == nil && last.headers["Cookie"] == nil)
        #expect(last.headers["X"] == "y" && last.headers["Host"] == "127.0.0.1:\(other.port)")
    }

    @Test func `redirects that go on are given up`() throws {
        let server = try ScriptedServer([redirect(302, to: "/a")], [redirect(302, to: "/b")])

        #expect(throws: ClientError.tooManyRedirects(server.url + "/b")) {
            try HTTPClient(timeout: 5, redirects: 1).send(.get, server.url)
        }
    }

    @Test(arguments: ["ftp://a/", "http://", "http://u@a/", "mailto:a"])
    func `a redirect to what is no URL is an error`(_ location: String) throws {
        let server = try ScriptedServer([redirect(302, to: location)])

        #expect(throws: ClientError.self) { try HTTPClient(timeout: 5, redirects: 1).send(.get, server.url) }
    }
}
