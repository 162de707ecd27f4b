import Essentials
package import HTTP
import Synchronization

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

    package func spoils(_ response: Response) -> Bool {
        response.pieces != nil || response.bytes.count > bytes
    }

    package func spoil(_ response: inout Response) {
        if let pieces = response.pieces {
            response.body = .pieces(pieces.cut(behind: bytes))
        } else {
            response.body = .cut(.init(body: response.bytes, sent: bytes))
        }
    }

    package func sentence(_ fault: String, spoiling response: Response) -> String {
        response.pieces != nil
            ? "The \(fault) ends this answer after \(bytes.counted("byte")) of its body."
            : "The \(fault) ended this answer after \(bytes) of the \(response.bytes.count.counted("byte")) of its body."
    }
}

extension Response {
    /// Of a body that comes from another server, as long as it may be.
    fileprivate var pieces: BodyPieces? { if case .pieces(let pieces) = body { pieces } else { nil } }
}

extension BodyPieces {
    private struct CutOff: Error {}

    /// The same, broken off after so many bytes.
    fileprivate func cut(behind bytes: Int) -> BodyPieces {
        let left = Mutex(bytes)
        return BodyPieces { [next] in
            let rest = left.withLock { $0 }
            guard rest > 0 else { throw CutOff() }
            guard let piece = try next() else { return nil }
            left.withLock { $0 -= min(piece.count, rest) }
            return Array(piece.prefix(rest))
        }
    }
}
