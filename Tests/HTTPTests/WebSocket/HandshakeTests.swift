import HTTP
import Testing

/// The opening handshake of RFC 6455 §4.
struct HandshakeTests {
    /// The client's half of the example in §1.2, with the key of §1.3.
    static let sample: Headers = [
        "Host": "server.example.com", "Upgrade": "websocket", "Connection": "Upgrade",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Origin": "http://example.com",
        "Sec-WebSocket-Protocol": "chat, superchat", "Sec-WebSocket-Version": "13",
    ]

    private func request(_ method: Request.Method = .get, _ change: (inout Headers) -> Void = { _ in })
        -> Request
    {
        var headers = Self.sample
        change(&headers)
        return Request(method, "/chat", headers: headers)
    }

    private func answer(_ request: Request, _ protocols: [String] = [], requires: Bool = false) throws
        -> Response
    {
        try request.webSocket(protocols: protocols, requiresProtocol: requires, received: { _, _ in })
    }

    @Test func `the standard's example is agreed to`() throws {
        let response = try answer(request(), ["superchat", "chat"])

        #expect(response.status == .switchingProtocols)
        #expect(response.headers["Upgrade"] == "websocket")
        #expect(response.headers["Sec-WebSocket-Protocol"] == "chat", "the client's preference decides")
        guard case .webSocket(let upgrade) = response.body else { throw Unexpected() }
        #expect(upgrade.key == "dGhlIHNhbXBsZSBub25jZQ==")
        #expect(upgrade.subprotocol == "chat")
        #expect(upgrade.messageBytes == 1_048_576)
    }

    @Test func `a path that serves something else too can tell`() {
        #expect(request().asksForWebSocket)
        #expect(!request { $0["Upgrade"] = "h2c" }.asksForWebSocket)
        #expect(!Request(.get, "/").asksForWebSocket)
    }

    @Test func `without a common subprotocol there is none`() throws {
        #expect(try answer(request()).headers["Sec-WebSocket-Protocol"] == nil)
        #expect(try answer(request(), ["other"]).headers["Sec-WebSocket-Protocol"] == nil)
        #expect(try answer(request(), ["Chat"]).headers["Sec-WebSocket-Protocol"] == nil)
    }

    @Test func `extensions are never agreed on`() throws {
        let asking = request { $0["Sec-WebSocket-Extensions"] = "permessage-deflate" }
        #expect(try answer(asking).headers["Sec-WebSocket-Extensions"] == nil)
    }

    @Test(arguments: [
        ("Upgrade", "WebSocket"), ("Upgrade", "foo/2, websocket"), ("Connection", "keep-alive, Upgrade"),
        ("Connection", "upgrade"), ("Sec-WebSocket-Protocol", nil),
    ])
    func `fields are read as lists of tokens`(_ name: String, _ value: String?) throws {
        #expect(try answer(request { $0[name] = value }).status == .switchingProtocols)
    }

    @Test func `fields of the same name are one list`() throws {
        let split = request {
            $0["Connection"] = "keep-alive"
            $0.add("Connection", "Upgrade")
            $0["Sec-WebSocket-Protocol"] = "a"
            $0.add("Sec-WebSocket-Protocol", "b")
        }
        #expect(try answer(split, ["b"]).headers["Sec-WebSocket-Protocol"] == "b")
    }

    @Test(arguments: [
        ("Upgrade", nil, 426, "the request lacks Upgrade: websocket"),
        ("Upgrade", "h2c", 426, "the request lacks Upgrade: websocket"),
        ("Connection", nil, 400, "Connection does not name Upgrade"),
        ("Connection", "keep-alive", 400, "Connection does not name Upgrade"),
        ("Connection", "close, Upgrade", 400, "close and for Upgrade at once"),
        ("Sec-WebSocket-Version", nil, 426, "must be 13, none came"),
        ("Sec-WebSocket-Version", "8", 426, "must be 13, “8” came"),
        ("Sec-WebSocket-Version", "13, 8", 426, "must be 13, “13, 8” came"),
        ("Sec-WebSocket-Key", nil, 400, "Sec-WebSocket-Key is missing"),
        ("Sec-WebSocket-Key", "", 400, "not 16 bytes in base64"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ", 400, "not 16 bytes in base64"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25j", 400, "not 16 bytes in base64"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZWU=", 400, "not 16 bytes in base64"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25j!Q==", 400, "not 16 bytes in base64"),
        ("Sec-WebSocket-Protocol", "chat, chat", 400, "each once"),
        ("Sec-WebSocket-Protocol", "a b", 400, "names of subprotocols"),
    ])
    func `one wrong field is refused`(_ name: String, _ value: String?, _ status: Int, _ reason: String)
        throws
    {
        let refused = try #require(throws: WebSocketRefused.self) {
            try answer(request { $0[name] = value })
        }
        #expect(refused.status.code == status)
        #expect(refused.reason.contains(reason), "\(refused.reason)")
        #expect(refused.reason.hasSuffix("."))
        let response = refused.response
        #expect(response.status.code == status)
        #expect(response.headers["Sec-WebSocket-Version"] == (status == 426 ? "13" : nil))
        #expect(response.headers["Upgrade"] == (status == 426 ? "websocket" : nil))
    }

    @Test(arguments: ["Sec-WebSocket-Key", "Sec-WebSocket-Version"])
    func `what may stand once stands once`(_ name: String) throws {
        let twice = request { $0.add(name, $0[name] ?? "") }

        let refused = try #require(throws: WebSocketRefused.self) { try answer(twice) }

        #expect(refused.status == .badRequest)
        #expect(refused.reason == "\(name) appears in the request more than once (RFC 6455 §11.3).")
    }

    @Test(arguments: [.head, .post, .options] as [Request.Method])
    func `only GET opens a web socket`(_ method: Request.Method) throws {
        let refused = try #require(throws: WebSocketRefused.self) { try answer(request(method)) }

        #expect(refused.status == .methodNotAllowed)
        #expect(refused.response.headers["Allow"] == "GET")
    }

    @Test func `HTTP 1 0 opens none`() throws {
        let new = request()
        let old = Request(new.method, new.path, headers: new.headers, isHTTP10: true)

        #expect(try #require(throws: WebSocketRefused.self) { try answer(old) }.status == .upgradeRequired)
    }

    @Test func `a subprotocol can be demanded`() throws {
        let refused = try #require(throws: WebSocketRefused.self) {
            try answer(request(), ["device"], requires: true)
        }
        #expect(refused.status == .badRequest)
        #expect(
            refused.reason == "Sec-WebSocket-Protocol must offer device; it offers “chat”, “superchat”.")
        #expect(try answer(request(), ["chat"], requires: true).status == .switchingProtocols)
    }

    @Test func `the answer names the upgrade and has no length`() throws {
        var bytes: [UInt8] = []
        let framing = ResponseWriter.Framing(isHead: false, isHTTP10: false, keepsAlive: true)
        ResponseWriter.write(try answer(request()), framing: framing, date: "D", into: &bytes)

        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "HTTP/1.1 101 Switching Protocols\r\nDate: D\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
        )
    }

    @Test(arguments: [(true, "Upgrade"), (false, "Upgrade, close")])
    func `a refusal that names the upgrade lists it in Connection`(_ keepsAlive: Bool, _ value: String) throws
    {
        let refused = try #require(throws: WebSocketRefused.self) {
            try answer(request { $0["Upgrade"] = nil })
        }
        var bytes: [UInt8] = []
        let framing = ResponseWriter.Framing(isHead: false, isHTTP10: false, keepsAlive: keepsAlive)
        ResponseWriter.write(refused.response, framing: framing, date: "D", into: &bytes)

        #expect(String(decoding: bytes, as: UTF8.self).contains("\r\nConnection: \(value)\r\n"))
    }
}

private struct Unexpected: Error {}
