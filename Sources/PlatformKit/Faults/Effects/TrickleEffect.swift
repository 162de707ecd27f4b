import Dispatch
package import HTTP
import Synchronization

/// The body comes in pieces.
package struct TrickleEffect: SpoilsAnswers {
    package static let key = "trickle"
    package static let title = "a trickling body"
    package static let form = "16/500ms"
    package static let does = "sends the body in pieces of this many bytes, with pauses"

    /// Of each piece.
    package var bytes: Int
    /// Between two pieces.
    package var seconds: Double

    package init?(_ text: String) {
        guard let rate = FaultBounds.rate(text) else { return nil }
        (bytes, seconds) = rate
    }

    package var words: String { "sends \(bytes) bytes each \(seconds.plain) s" }
    package var phase: FaultPhase { .answer(self) }

    package func check(at path: [String]) throws {
        try FaultBounds.require(1...FaultBounds.mostBytes, bytes, path + ["bytes"])
        try FaultBounds.check(seconds: seconds, path + ["seconds"])
    }

    package func spoils(_ response: Response) -> Bool { response.bytes.count > bytes }

    package func spoil(_ response: inout Response) {
        let bytes = response.bytes
        response.body = .stream(
            BodyStream { writer in
                let pieces = Pieces(bytes, self, writer)
                pieces.sendNext()
                return { pieces.stop() }
            })
    }

    package func sentence(_ fault: String, spoiling _: Response) -> String {
        "The \(fault) sent the body of this answer in pieces of \(bytes) bytes, one each \(seconds.plain) s."
    }
}

/// A body on its way, piece by piece. Between two pieces it costs no thread.
private final class Pieces: Sendable {
    private let bytes: [UInt8]
    private let trickle: TrickleEffect
    private let writer: BodyStream.Writer
    /// Nil when nothing is to be sent any more.
    private let next = Mutex<Int?>(0)

    init(_ bytes: [UInt8], _ trickle: TrickleEffect, _ writer: BodyStream.Writer) {
        (self.bytes, self.trickle, self.writer) = (bytes, trickle, writer)
    }

    func sendNext() {
        let piece = next.withLock { next -> ArraySlice<UInt8>? in
            guard let start = next else { return nil }
            let end = min(start + trickle.bytes, bytes.count)
            next = end
            return bytes[start..<end]
        }
        guard let piece else { return }
        guard writer.write(Array(piece)) else { return stop() }
        if piece.endIndex == bytes.count { return writer.close() }
        DispatchQueue.global().asyncAfter(deadline: .now() + trickle.seconds) { [self] in sendNext() }
    }

    func stop() { next.withLock { $0 = nil } }
}
