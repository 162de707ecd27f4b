import HTTPClient
import Synchronization

/// Holds back the calls that a world may not make, and remembers, in a world that may not make all, which had no answer.
///
/// A world that may call everybody pays for one look at a flag.
final class CallGate: Sendable {
    private struct State {
        var only: [String]?
        var unanswered: [String] = []
    }

    private let state: Mutex<State>
    private let isOpen: Atomic<Bool>
    /// The rest is not kept.
    private static let unansweredLimit = 1000

    /// - Parameter calls: what the world's database says; nil for no limit.
    init(_ calls: CallsFixture?) {
        state = Mutex(State(only: calls?.only))
        isOpen = Atomic(calls == nil)
    }

    func replace(with calls: CallsFixture?) {
        state.withLock { $0.only = calls?.only }
        isOpen.store(calls == nil, ordering: .relaxed)
    }

    /// What may be called; nil for everything.
    var calls: CallsFixture? { state.withLock { $0.only.map { CallsFixture(only: $0) } } }

    /// Calls that a request waited for and that had no answer, held back or not; of a world that may not make all, the first ones.
    var unanswered: [String] { state.withLock { $0.unanswered } }

    /// - Throws: ``CallHeldBack`` for an address that may not be called. What is no URL goes on, and fails as such.
    func admit(_ url: String) throws(CallHeldBack) {
        if isOpen.load(ordering: .relaxed) { return }
        guard let only = state.withLock({ $0.only }), let origin = HTTPClient.origin(of: url) else { return }
        if !only.contains(where: { Self.covers($0, url, origin) }) { throw CallHeldBack(only: only) }
    }

    func noteUnanswered(_ url: String) {
        if isOpen.load(ordering: .relaxed) { return }
        state.withLock { if $0.unanswered.count < Self.unansweredLimit { $0.unanswered.append(url) } }
    }

    /// - Parameters:
    ///   - address: without a slash at its end.
    ///   - origin: of `url`.
    private static func covers(_ address: String, _ url: String, _ origin: String) -> Bool {
        if address == origin { return true }
        guard address.hasPrefix(origin + "/") else { return false }
        let base = address.dropFirst(origin.count)
        let parts = url.prefix { $0 != "?" && $0 != "#" }
            .split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let path = "/" + (parts.dropFirst(3).first ?? "")
        // What climbs out of the base is not below it.
        let climbs = path.replacing("%2e", with: ".").replacing("%2E", with: ".").split(separator: "/")
            .contains("..")
        return path == base || path.hasPrefix(base + "/") && !climbs
    }
}

/// A call to an address that the world may not call.
struct CallHeldBack: OutgoingFailure, CustomStringConvertible {
    let only: [String]

    var isPermanent: Bool { true }

    var description: String {
        let those = only.isEmpty ? "nobody" : "only \(only.joined(separator: ", "))"
        return "this world calls \(those) (calls.only of its fixtures)"
    }
}
