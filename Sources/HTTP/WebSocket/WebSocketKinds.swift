/// Kinds of messages.
package struct WebSocketKinds: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let text = WebSocketKinds(rawValue: 1)
    package static let binary = WebSocketKinds(rawValue: 2)
    package static let all: WebSocketKinds = [.text, .binary]
}
