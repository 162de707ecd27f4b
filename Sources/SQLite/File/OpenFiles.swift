import Synchronization

/// Which databases have their files open. Beyond a limit, the file that was not used for longest is closed; it is opened again
/// when somebody asks.
final class OpenFiles: Sendable {
    static let shared = OpenFiles(limit: 64)

    /// One storage's place in the list.
    ///
    /// `@unchecked Sendable`: `gate` is set once, before anybody else knows the seat; the rest is used under the list's lock.
    final class Seat: @unchecked Sendable {
        weak var gate: Gate?
        fileprivate var lastUse = 0
    }

    private struct State {
        var open: [ObjectIdentifier: Seat] = [:]
        var uses = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// A storage is about to be used.
    ///
    /// - Parameter isOpen: false when it opens its file now.
    func use(_ seat: Seat, isOpen: Bool) {
        let idle: [Seat] = state.withLock { state in
            state.uses += 1
            seat.lastUse = state.uses
            if isOpen { return [] }
            state.open = state.open.filter { $0.value.gate != nil }
            state.open[ObjectIdentifier(seat)] = seat
            guard state.open.count > limit else { return [] }
            return state.open.values.filter { $0 !== seat }.sorted { $0.lastUse < $1.lastUse }
        }
        for seat in idle where state.withLock({ $0.open.count }) > limit {
            // Whoever is inside goes on.
            seat.gate?.enterIfFree { storage in
                (storage as? FileStorage)?.close()
                state.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(seat)) }
            }
        }
    }
}
