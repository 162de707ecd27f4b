/// What a peer sent that is no web socket traffic, or goes beyond a limit. The connection ends with it.
package struct WebSocketFault: Error, Sendable, Equatable {
    package let code: WebSocketCloseCode
    /// A sentence for the developer.
    package let reason: String

    package init(_ code: WebSocketCloseCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    static func protocolError(_ reason: String) -> WebSocketFault { WebSocketFault(.protocolError, reason) }
    static func notText(_ reason: String) -> WebSocketFault { WebSocketFault(.invalidPayload, reason) }
}
