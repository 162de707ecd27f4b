import HTTP
import Synchronization

/// Keeps the streams that a handler opened, and counts their ends.
final class StreamBox: Sendable {
    private let state = Mutex<(writers: [BodyStream.Writer], ends: Int)>(([], 0))

    var writers: [BodyStream.Writer] { state.withLock(\.writers) }
    var ends: Int { state.withLock(\.ends) }

    /// An answer whose stream is kept here.
    func response() -> Response {
        .events { writer in
            self.state.withLock { $0.writers.append(writer) }
            return { self.state.withLock { $0.ends += 1 } }
        }
    }
}
