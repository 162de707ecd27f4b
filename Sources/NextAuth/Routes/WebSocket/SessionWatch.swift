import HTTP
import PlatformKit
import SQLite
import Synchronization

/// One open WebSocket: the sessions that it watches, and how much of what happened to them it has told.
///
/// No thread belongs to it: whoever changes something rings the bell of the world, and tells the watchers on the way.
final class SessionWatch: Sendable {
    private struct State {
        /// With the number of the last signal that is known or told.
        var sessions: [WatchedSession: Int] = [:]
        /// The number of the last signal that was looked at.
        var position = 0
        var stops: [@Sendable () -> Void] = []
        var isOver = false
    }

    static let sessionLimit = 100

    private let platform: NextAuth
    /// Held while the database is asked, so that nothing is told out of order. Whoever holds it writes nothing and so rings nothing.
    private let state = Mutex(State())

    init(_ platform: NextAuth) { self.platform = platform }

    func receive(_ text: String, from sender: WebSocketSender) throws {
        guard let command = SessionCommand(text) else {
            return ignore(
                "The message “\(text.prefix(80))” is not REGISTER, PROVOKE or LOGOUT followed by a session id (32 bytes in "
                    + "base64url) and a server id.")
        }
        let session = command.session
        guard try platform.database.read({ try Server.find(session.server, in: $0) }) != nil else {
            return ignore("There is no server “\(session.server.prefix(60))”.")
        }
        switch command.kind {
        case .register: try register(session, sender)
        case .provoke: try provoke(session)
        case .logOut:
            try platform.change { turn in
                _ = try platform.logins.logOut(
                    platform.logins.webSession(session.hsid, of: session.server, in: turn), in: turn)
            }
        }
    }

    func end() {
        let stops = state.withLock { state in
            state.isOver = true
            state.sessions = [:]
            defer { state.stops = [] }
            return state.stops
        }
        for stop in stops { stop() }
    }

    private func ignore(_ reason: String) {
        platform.services.journal.event("web socket message ignored", about: nil, reason)
    }

    private func provoke(_ session: WatchedSession) throws {
        do {
            try platform.change { turn in
                try platform.logins.provoke(
                    platform.logins.webSession(session.hsid, of: session.server, in: turn), in: turn)
            }
        } catch let refusal as BackEndRefusal
            where refusal == .provocationImpossible(because: refusal.explanation)
        {
            ignore(refusal.explanation)
        }
    }
}

// MARK: - Telling

extension SessionWatch {
    private func register(_ session: WatchedSession, _ sender: WebSocketSender) throws {
        // What time has brought is written down before the lock is taken, since it rings the bell.
        try platform.settle()
        try tell(sender)
        let isFull = try state.withLock { state in
            if state.isOver { return false }
            guard state.sessions[session] != nil || state.sessions.count < Self.sessionLimit else {
                return true
            }
            let last = try platform.database.read { try Signal.last(in: $0) }
            if state.sessions.isEmpty { state.position = last }
            state.sessions[session] = last
            try tellState(of: session, sender)
            if state.stops.isEmpty { state.stops = listen(sender) }
            return false
        }
        if isFull {
            sender.close(.policyViolation, "more than \(Self.sessionLimit) sessions on one socket")
        }
    }

    private func listen(_ sender: WebSocketSender) -> [@Sendable () -> Void] {
        let changes = platform.services.changes
        return [
            changes.listen { [self] in closing(sender) { try tell(sender) } },
            changes.look(everySecond: "nextauth.watch") { [self] in
                closing(sender) { try platform.settle() }
            },
        ]
    }

    /// A watcher that cannot look any more must not seem to be well.
    private func closing(_ sender: WebSocketSender, _ work: () throws -> Void) {
        do { try work() } catch { sender.close(.internalError, "the state could not be read") }
    }

    /// Everything that happened to the sessions since it was told last.
    private func tell(_ sender: WebSocketSender) throws {
        try state.withLock { state in
            guard !state.sessions.isEmpty else { return }
            let position = state.position
            let (signals, last) = try platform.database.read { db in
                let signals = try Signal.all(after: position, in: db)
                return (signals, try signals.last?.number ?? Signal.last(in: db))
            }
            state.position = last
            if last < position { return try tellAnew(&state, sender) }
            for signal in signals {
                let session = WatchedSession(hsid: signal.hsid, server: signal.server)
                guard let told = state.sessions[session], told < signal.number else { continue }
                sender.send(session.message(signal.kind))
            }
        }
    }

    /// The world was put back to an earlier state, in which other things are true.
    private func tellAnew(_ state: inout State, _ sender: WebSocketSender) throws {
        for session in state.sessions.keys {
            state.sessions[session] = state.position
            try tellState(of: session, sender)
        }
    }

    private func tellState(of session: WatchedSession, _ sender: WebSocketSender) throws {
        let kinds = try platform.database.read { db -> [Signal.Kind] in
            guard let found = try WebSession.find(session.hsid, of: session.server, in: db) else {
                return [.logout]
            }
            if found.state == .loggedIn { return [.login] }
            return try platform.logins.canProvoke(found, in: db) ? [.logout, .canProvoke] : [.logout]
        }
        for kind in kinds { sender.send(session.message(kind)) }
    }
}
