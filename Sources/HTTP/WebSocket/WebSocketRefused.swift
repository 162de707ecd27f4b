/// A request that opens no web socket, where one is served.
package struct WebSocketRefused: Error, Sendable {
    package let status: Status
    /// A sentence or more for the developer, each with a capital and a full stop.
    package let reason: String

    init(_ status: Status, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    /// How the client hears it, with the fields that its status wants. Source: RFC 6455 §4.2.2 and §4.4, RFC 9110 §15.5.22.
    package var response: Response {
        var response = Response.text(reason + "\n", status: status)
        switch status {
        case .upgradeRequired:
            response.headers["Upgrade"] = "websocket"
            response.headers["Sec-WebSocket-Version"] = Request.webSocketVersion
        case .methodNotAllowed: response.headers["Allow"] = "GET"
        default: break
        }
        return response
    }
}
