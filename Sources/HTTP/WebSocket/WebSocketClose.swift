/// How a web socket ends: the content of its Close frame, or what stands for one. Source: RFC 6455 §5.5.1.
package struct WebSocketClose: Sendable, Equatable {
    package var code: WebSocketCloseCode
    /// For the developer of the other side; empty when nothing was said.
    package var reason: String

    package init(_ code: WebSocketCloseCode, _ reason: String = "") {
        self.code = code
        self.reason = reason
    }

    /// Bytes of reason that fit a control frame beside the code.
    static let longestReason = 123

    /// What the payload of a Close frame says.
    init(payload: [UInt8]) throws(WebSocketFault) {
        if payload.isEmpty {
            self.init(.none)
            return
        }
        guard let high = payload.first, let low = payload.dropFirst().first else {
            throw .protocolError("a Close frame has one byte of payload; a code has two (RFC 6455 §5.5.1)")
        }
        let code = WebSocketCloseCode(rawValue: UInt16(high) << 8 | UInt16(low))
        guard code.canBeSent else {
            throw .protocolError("\(code.rawValue) must not stand in a Close frame (RFC 6455 §7.4)")
        }
        guard let reason = String(validating: payload.dropFirst(2), as: UTF8.self) else {
            throw .notText("the reason of a Close frame is not UTF-8 (RFC 6455 §5.5.1)")
        }
        self.init(code, reason)
    }

    /// The payload of a Close frame that says this. A code that cannot be sent is a mistake of ours: 1011; a reason that is too
    /// long is cut between characters.
    var payload: [UInt8] {
        if code == .none { return [] }
        let sent = (code.canBeSent ? code : .internalError).rawValue
        var text = reason[...]
        while text.utf8.count > Self.longestReason { text.removeLast() }
        return [UInt8(sent >> 8), UInt8(sent & 0xFF)] + text.utf8
    }
}
