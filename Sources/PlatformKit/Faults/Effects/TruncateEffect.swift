import Essentials
package import HTTP

/// The connection ends after so many bytes of the body, of which the head says the whole length.
package struct TruncateEffect: SpoilsAnswers {
    package static let key = "truncate"
    package static let title = "a truncated body"
    package static let form = "20"
    package static let does = "cuts the answer off after this many bytes of its body"

    package var bytes: Int

    package init?(_ text: String) {
        guard let bytes = Int(text) else { return nil }
        self.bytes = bytes
    }

    package var words: String { "ends the body after \(bytes) bytes" }
    package var phase: FaultPhase { .answer(self) }

    package func check(at path: [String]) throws {
        try FaultBounds.require(0...FaultBounds.mostBytes, bytes, path + ["bytes"])
    }

    package func spoils(_ response: Response) -> Bool { response.bytes.count > bytes }

    package func spoil(_ response: inout Response) {
        response.body = .cut(.init(body: response.bytes, sent: bytes))
    }

    package func sentence(_ fault: String, spoiling response: Response) -> String {
        "The \(fault) ended this answer after \(bytes) of the \(response.bytes.count.counted("byte")) of its body."
    }
}
