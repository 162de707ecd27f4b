import Sockets
import Synchronization

/// Connections that wait for their next call after a whole answer, for the clients that share them: a few to each server, for a few seconds.
///
/// What was agreed on over TLS serves nobody who believes others: a connection is found again by the settings that it was made with.
package final class KeptConnections: Sendable {
    /// Where connections lead, and how.
    struct Place: Equatable, Sendable {
        let host: String
        let port: Int
        /// The settings of TLS, which live as long as a connection that was made with them.
        let tls: ObjectIdentifier?
    }

    fileprivate struct Idle: Sendable {
        let socket: ClientSocket
        let place: Place
        /// In ``now``.
        let since: Double
        let end: Double
    }

    fileprivate struct State {
        /// The latest is the last.
        var idle: [Idle] = []
        /// Somebody is asked to look after them again.
        var isAwaited = false
    }

    /// What a list of connections asks of whoever has it.
    package struct Time: Sendable {
        /// Seconds, of a clock that never goes back.
        package let now: @Sendable () -> Double
        /// Calls back after so many seconds.
        package let later: @Sendable (Double, @escaping @Sendable () -> Void) -> Void

        package init(
            now: @escaping @Sendable () -> Double = { System.uptime },
            later: @escaping @Sendable (Double, @escaping @Sendable () -> Void) -> Void
        ) {
            (self.now, self.later) = (now, later)
        }
    }

    /// Seconds that servers are expected to wait for the next call. Many end after five.
    package static let seconds = 4.0
    /// What may not be sent twice goes over a connection only so long after its last answer: later, the server may be closing it.
    package static let secondsForOnce = 1.0

    private let state = Mutex(State())
    private let most: Int
    private let mostOfPlace: Int
    private let time: Time

    /// - Parameters:
    ///   - most: connections in all.
    ///   - mostOfPlace: of them to one server.
    package init(most: Int = 32, mostOfPlace: Int = 8, time: Time) {
        (self.most, self.mostOfPlace, self.time) = (most, mostOfPlace, time)
    }

    deinit {
        for connection in state.withLock({ $0.idle }) { connection.socket.close() }
    }

    package var count: Int { state.withLock { $0.idle.count } }

    /// The latest that leads there and is as good as new.
    ///
    /// - Parameter seconds: that may have gone by since its last answer.
    func take(_ place: Place, within seconds: Double) -> ClientSocket? {
        let now = time.now()
        while true {
            let found = state.withLock { state in
                state.idle.lastIndex {
                    $0.place == place && $0.end > now && now - $0.since <= seconds
                }.map { state.idle.remove(at: $0) }
            }
            guard let found else { return nil }
            if !found.socket.isStale { return found.socket }
            found.socket.close()
        }
    }

    /// - Parameter seconds: that the server waits for the next call, where it said so.
    func keep(_ socket: ClientSocket, _ place: Place, seconds: Double?) {
        // Some room for what is on its way when the server's patience ends.
        let span = min(Self.seconds, seconds.map { $0 - 1 } ?? Self.seconds)
        guard span > 0 else { return }
        let now = time.now()
        let (dropped, isFirst) = state.withLock { state in
            let dropped = state.makeRoom(for: place, most: most, mostOfPlace: mostOfPlace)
            state.idle.append(Idle(socket: socket, place: place, since: now, end: now + span))
            defer { state.isAwaited = true }
            return (dropped, !state.isAwaited)
        }
        // The exchange that used one last may still hold it.
        for connection in dropped { connection.socket.close() }
        if isFirst { look(after: span) }
    }

    private func look(after seconds: Double) {
        time.later(seconds) { [weak self] in self?.endThoseWhoseTimeIsOver() }
    }

    private func endThoseWhoseTimeIsOver() {
        let now = time.now()
        let (over, next) = state.withLock { state in
            let over = state.idle.filter { $0.end <= now }
            state.idle.removeAll { $0.end <= now }
            let next = state.idle.map(\.end).min()
            state.isAwaited = next != nil
            return (over, next)
        }
        for connection in over { connection.socket.close() }
        if let next { look(after: next - now) }
    }
}

extension KeptConnections.State {
    /// - Returns: what has to go, the oldest first.
    fileprivate mutating func makeRoom(for place: KeptConnections.Place, most: Int, mostOfPlace: Int)
        -> [KeptConnections.Idle]
    {
        var dropped: [KeptConnections.Idle] = []
        if idle.count(where: { $0.place == place }) >= mostOfPlace,
            let oldest = idle.firstIndex(where: { $0.place == place })
        {
            dropped.append(idle.remove(at: oldest))
        }
        if idle.count >= most, !idle.isEmpty { dropped.append(idle.removeFirst()) }
        return dropped
    }
}
