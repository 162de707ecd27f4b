import Essentials
package import HTTP

/// One message of a web socket: an event of the request that opened it.
package struct SocketMessage: Sendable {
    package enum Direction: String, Sendable, Codable, CaseIterable {
        /// By the platform, from its client.
        case received
        case sent
    }

    /// Characters of a text that its sentence tells.
    private static let shownCharacters = 200

    package let direction: Direction
    /// The first 16 KiB.
    package let body: JournalBody
    private let isText: Bool
    private let fullCount: Int

    package init(_ direction: Direction, _ message: WebSocketMessage) {
        self.direction = direction
        (body, fullCount) = (JournalBody(message.bytes), message.bytes.count)
        isText = message.text != nil
    }

    /// What the journal calls it.
    var event: String { "web socket message \(direction.rawValue)" }

    /// What was said, as a sentence.
    var explanation: String {
        "\(direction == .received ? "The client said" : "The client was told") \(content)."
    }

    private var content: String {
        guard isText else { return "\(fullCount) bytes" }
        let text = body.text ?? ""
        return "“\(text.beginning(Self.shownCharacters))”"
    }
}
