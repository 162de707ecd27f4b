import Synchronization
import Upstream

/// A request that is passed on to a real service.
final class Passing: Sendable {
    let server: UpstreamServer
    /// Whether the service answered, and nothing in its place.
    private let answered = Atomic<Bool>(false)

    init(_ server: UpstreamServer) { self.server = server }

    var isAnswered: Bool { answered.load(ordering: .relaxed) }

    func noteAnswer() { answered.store(true, ordering: .relaxed) }
}
