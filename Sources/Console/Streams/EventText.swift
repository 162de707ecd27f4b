import HTTP
import Essentials
import PlatformKit

/// Pieces of an event stream. Source: WHATWG HTML, “Server-sent events”.
enum EventText {
    /// Shows at once that the stream is open, and how many milliseconds to wait before connecting again.
    static let hello = Array(": hello\nretry: 2000\n\n".utf8)

    /// - Parameter data: JSON on one line.
    static func event(_ name: String, id: Int, _ data: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array("event: \(name)\nid: \(id)\ndata: ".utf8) + (try encoder.encode(data))
            + Array("\n\n".utf8)
    }
}
