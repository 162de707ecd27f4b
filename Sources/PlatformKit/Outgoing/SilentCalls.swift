import Synchronization

/// The addresses that a world asked, while a request waited, and that gave no answer.
final class SilentCalls: Sendable {
    private let list = Mutex<[String]>([])
    /// The rest is not kept.
    private static let limit = 1000

    var urls: [String] { list.withLock { $0 } }

    func add(_ url: String) { list.withLock { if $0.count < Self.limit { $0.append(url) } } }
}
