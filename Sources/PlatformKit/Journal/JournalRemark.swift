import Synchronization

/// What a platform said of its answer to one request.
final class JournalRemark: Sendable {
    private let sentences = Mutex<String?>(nil)

    var text: String? { sentences.withLock { $0 } }

    func add(_ explanation: String) {
        sentences.withLock { $0 = $0.map { $0 + " " + explanation } ?? explanation }
    }
}
