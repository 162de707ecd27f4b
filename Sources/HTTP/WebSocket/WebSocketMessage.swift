/// One message of a web socket, whole: however many frames it came in.
package enum WebSocketMessage: Sendable, Equatable {
    case text(String)
    case binary([UInt8])

    /// The text; nil for a binary message.
    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The payload, of either kind.
    package var bytes: [UInt8] {
        switch self {
        case .text(let text): [UInt8](text.utf8)
        case .binary(let bytes): bytes
        }
    }
}

/// Kinds of messages.
package struct WebSocketKinds: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let text = WebSocketKinds(rawValue: 1)
    package static let binary = WebSocketKinds(rawValue: 2)
    package static let all: WebSocketKinds = [.text, .binary]
}
