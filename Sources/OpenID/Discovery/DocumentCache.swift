import HTTP
import Synchronization

/// Answers that are the same for every request under one base URL.
final class DocumentCache: Sendable {
    /// A program is reached under a few URLs; more are worlds, or somebody who makes names up.
    private static let limit = 200

    private let kept = Mutex<[String: Response]>([:])

    func response(for name: String, make: () throws -> Response) rethrows -> Response {
        if let response = kept.withLock({ $0[name] }) { return response }
        let response = try make()
        kept.withLock { kept in
            if kept.count >= Self.limit { kept.removeAll() }
            kept[name] = response
        }
        return response
    }
}
