package import HTTP
import Sockets

extension HTTPClient {
    /// What a server says to the wish for a web socket.
    package enum WebSocketAnswer {
        case agreed(ClientWebSocket)
        /// Any other answer.
        case refused(ResponseStream)
    }

    /// Asks for a web socket, over a connection of its own.
    ///
    /// - Parameters:
    ///   - headers: with `Sec-WebSocket-Key` and `Sec-WebSocket-Version`, perhaps subprotocols, and no extension.
    ///   - mask: a new random number for each frame. Source: RFC 6455 §5.3.
    package func webSocket(_ url: String, headers: Headers, mask: ClientWebSocket.Mask)
        throws(ClientError) -> WebSocketAnswer
    {
        let deadline = Deadline(seconds: timeout)
        let call = Call(method: .get, url: try ClientURL(url), headers: headers, body: [])
        let request = try call.bytes(.upgrades)
        let line = Line(
            socket: try connect(call.url, context(for: call, until: deadline), until: deadline),
            isUsed: false, keeper: nil)
        let exchange = try Exchange(
            line, to: call.url, sending: request,
            parser: ResponseParser(answering: .get, bodyBytes: .max, takesUpgrade: true), until: deadline)
        let head = try exchange.head(until: deadline)
        guard head.status == .switchingProtocols else { return .refused(ResponseStream(exchange, head)) }
        if let flaw = head.flaw(asAgreementTo: headers) { throw .malformedAnswer(call.url.place, flaw) }
        let (socket, rest) = exchange.takeOver()
        return .agreed(ClientWebSocket(socket, head.headers, rest: rest, mask: mask))
    }
}

extension ResponseHead {
    /// What is wrong with it as the answer to a client's opening handshake; nil where nothing is. Source: RFC 6455 §4.1, in its order.
    fileprivate func flaw(asAgreementTo asked: Headers) -> String? {
        guard items("Upgrade").contains(where: { $0.equalsIgnoringCase("websocket") }) else {
            return "it agrees to something else than a web socket"
        }
        guard items("Connection").contains(where: { $0.equalsIgnoringCase("upgrade") }) else {
            return "its Connection does not name Upgrade"
        }
        // Without SHA-1 there is no proof either.
        let proof = try? WebSocketAccept.value(for: asked["Sec-WebSocket-Key"] ?? "")
        guard let proof, headers.values(of: "Sec-WebSocket-Accept") == [proof] else {
            return "its Sec-WebSocket-Accept is not the answer to the key"
        }
        guard headers["Sec-WebSocket-Extensions"] == nil else {
            return "it agrees to an extension that nobody offered"
        }
        let offered = asked.values(of: "Sec-WebSocket-Protocol").flatMap(\.listItems)
        let chosen = headers.values(of: "Sec-WebSocket-Protocol")
        guard chosen.count < 2, chosen.allSatisfy(offered.contains) else {
            return "it agrees to a subprotocol that nobody offered"
        }
        return nil
    }

    private func items(_ name: String) -> [String] { headers.values(of: name).flatMap(\.listItems) }
}
