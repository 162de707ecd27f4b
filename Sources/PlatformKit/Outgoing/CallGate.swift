import HTTPClient
import Synchronization

/// Holds back the calls that a world may not make, and counts those that had no answer.
///
/// A world that may call everybody pays for one look at a flag.
final class CallGate: Sendable {
    private struct State {
        var only: [String]?
        var unanswered = UnansweredCalls()
    }

    private let state: Mutex<State>
    private let isOpen: Atomic<Bool>

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

    var unanswered: UnansweredCalls { state.withLock { $0.unanswered } }

    /// - Throws: ``CallHeldBack`` for an address that may not be called. What is no URL goes on, and fails as such.
    func admit(_ url: String) throws(CallHeldBack) {
        if isOpen.load(ordering: .relaxed) { return }
        guard let only = state.withLock({ $0.only }), let origin = HTTPClient.origin(of: url) else { return }
        if !only.contains(where: { Self.covers($0, url, origin) }) { throw CallHeldBack(only: only) }
    }

    func noteUnanswered(_ url: String) {
        let origin = HTTPClient.origin(of: url)
        state.withLock { $0.unanswered = UnansweredCalls(count: $0.unanswered.count + 1, last: origin) }
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

/// The calls that a request waited for and that had no answer, be it that they were held back.
package struct UnansweredCalls: Sendable {
    package private(set) var count = 0
    /// Scheme, host and port of the last one; nil for none, and for what was no URL.
    package private(set) var last: String?
}

/// A call to an address that the world may not call.
struct CallHeldBack: Error, CustomStringConvertible {
    let only: [String]

    var description: String {
        let those = only.isEmpty ? "nobody" : "only \(only.joined(separator: ", "))"
        return "this world calls \(those) (calls.only of its fixtures)"
    }
}
