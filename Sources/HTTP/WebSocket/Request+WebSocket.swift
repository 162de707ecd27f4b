import Essentials

/// The opening handshake. Source: RFC 6455 §4.2.
extension Request {
    static let webSocketVersion = "13"

    /// Agrees to the web socket that the client asks for: what a handler returns. Extensions are never agreed on.
    ///
    /// A page of any site can open web sockets to any server, and the browser asks nobody: a handler that serves pages looks at
    /// `headers["Origin"]` first.
    ///
    /// - Parameters:
    ///   - protocols: subprotocols that are spoken here. The first of the client's list that is among them is agreed on; without
    ///     one the socket has none.
    ///   - requiresProtocol: a client that offers none of them is refused.
    ///   - messageBytes: of one message; a larger one closes the socket with 1009.
    ///   - kinds: of messages that are taken; another closes the socket with 1003.
    /// - Throws: ``WebSocketRefused`` for a request that is no proper handshake; the dispatcher answers it.
    package func webSocket(
        protocols: [String] = [], requiresProtocol: Bool = false,
        messageBytes: Int = WebSocketUpgrade.messageBytes, kinds: WebSocketKinds = .all,
        opened: @escaping WebSocketUpgrade.Opened = { _ in },
        received: @escaping WebSocketUpgrade.Received,
        closed: @escaping WebSocketUpgrade.Closed = { _, _ in }
    ) throws(WebSocketRefused) -> Response {
        try checkUpgrade()
        try checkVersion()
        let key = try webSocketKey()
        let offered = try offeredProtocols()
        let subprotocol = offered.first(where: protocols.contains)
        if requiresProtocol, subprotocol == nil { throw .noProtocol(offered, spoken: protocols) }
        var response = Response(status: .switchingProtocols, headers: ["Upgrade": "websocket"])
        if let subprotocol { response.headers["Sec-WebSocket-Protocol"] = subprotocol }
        response.body = .webSocket(
            WebSocketUpgrade(
                key: key, subprotocol: subprotocol, messageBytes: messageBytes, kinds: kinds, opened: opened,
                received: received, closed: closed))
        return response
    }

    /// Whether the client wants a web socket here, rightly or not: for a path that serves something else too.
    package var asksForWebSocket: Bool {
        tokens(of: "Upgrade").contains { $0.equalsIgnoringCase("websocket") }
    }

    private func checkUpgrade() throws(WebSocketRefused) {
        guard method == .get else {
            throw WebSocketRefused(
                .methodNotAllowed, "A web socket is opened by GET, not \(method.rawValue) (RFC 6455 §4.2.1).")
        }
        guard !isHTTP10 else {
            throw WebSocketRefused(
                .upgradeRequired, "A web socket is opened by HTTP/1.1; this is HTTP/1.0 (RFC 6455 §4.2.1).")
        }
        guard asksForWebSocket else {
            throw WebSocketRefused(
                .upgradeRequired,
                "A web socket is served here; the request lacks Upgrade: websocket (RFC 6455 §4.2.1).")
        }
        let options = tokens(of: "Connection")
        guard options.contains(where: { $0.equalsIgnoringCase("upgrade") }) else {
            throw .malformed(
                "Connection does not name Upgrade; a proxy may have taken it out (RFC 6455 §4.2.1).")
        }
        guard !options.contains(where: { $0.equalsIgnoringCase("close") }) else {
            throw .malformed("Connection asks for close and for Upgrade at once (RFC 9112 §9.6).")
        }
    }

    private func checkVersion() throws(WebSocketRefused) {
        let versions = headers.values(of: "Sec-WebSocket-Version")
        guard versions.count < 2 else { throw .repeated("Sec-WebSocket-Version") }
        guard versions.first == Self.webSocketVersion else {
            let came = versions.first.map { "\(excerpt($0.utf8)) came" } ?? "none came"
            throw WebSocketRefused(
                .upgradeRequired,
                "Sec-WebSocket-Version must be \(Self.webSocketVersion), \(came) (RFC 6455 §4.4).")
        }
    }

    /// 16 bytes in base64. Source: RFC 6455 §4.2.1.
    private func webSocketKey() throws(WebSocketRefused) -> String {
        let keys = headers.values(of: "Sec-WebSocket-Key")
        guard keys.count < 2 else { throw .repeated("Sec-WebSocket-Key") }
        guard let key = keys.first else {
            throw .malformed("Sec-WebSocket-Key is missing (RFC 6455 §4.2.1).")
        }
        guard key.utf8.count == 24, Data(base64Encoded: key)?.count == 16 else {
            throw .malformed(
                "Sec-WebSocket-Key is \(excerpt(key.utf8)), not 16 bytes in base64 (RFC 6455 §4.2.1).")
        }
        return key
    }

    /// In the client's order of preference. Source: RFC 6455 §4.1, number 10.
    private func offeredProtocols() throws(WebSocketRefused) -> [String] {
        let offered = tokens(of: "Sec-WebSocket-Protocol")
        guard offered.allSatisfy({ $0.utf8.allSatisfy(\.isToken) }), Set(offered).count == offered.count
        else {
            throw .malformed(
                "Sec-WebSocket-Protocol must list names of subprotocols, each once (RFC 6455 §4.1).")
        }
        return offered
    }

    private func tokens(of name: String) -> [String] { headers.values(of: name).flatMap(\.listItems) }
}

extension WebSocketRefused {
    fileprivate static func malformed(_ reason: String) -> WebSocketRefused {
        WebSocketRefused(.badRequest, reason)
    }

    fileprivate static func repeated(_ name: String) -> WebSocketRefused {
        .malformed("\(name) appears in the request more than once (RFC 6455 §11.3).")
    }

    fileprivate static func noProtocol(_ offered: [String], spoken: [String]) -> WebSocketRefused {
        let came = offered.isEmpty ? "none" : offered.map { excerpt($0.utf8) }.joined(separator: ", ")
        return .malformed(
            "Sec-WebSocket-Protocol must offer \(spoken.joined(separator: " or ")); it offers \(came).")
    }
}
