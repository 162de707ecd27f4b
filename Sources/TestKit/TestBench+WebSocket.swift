package import HTTP
import PlatformKit

extension TestBench {
    /// Opens the web socket that the handler of `path` answers with. There is no socket below it: callbacks run on the thread of
    /// the test, and when a call returns they have run.
    ///
    /// - Parameter headers: beside those of the handshake, or in their place.
    /// - Throws: ``WebSocketNotOpened`` with the answer, when it is another.
    package func webSocket(_ path: String, protocols: [String] = [], headers: Headers = [:]) throws
        -> TestWebSocket
    {
        // The key is that of RFC 6455 §1.3.
        var all: Headers = [
            "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        if !protocols.isEmpty { all["Sec-WebSocket-Protocol"] = protocols.joined(separator: ", ") }
        for field in headers.fields { all[field.name] = field.value }
        let response = get(path, headers: all)
        guard response.status == .switchingProtocols, case .webSocket(let upgrade) = response.body else {
            throw WebSocketNotOpened(response: response)
        }
        return TestWebSocket(response, upgrade)
    }
}

/// The handler answered otherwise.
package struct WebSocketNotOpened: Error {
    package let response: Response
}
