import Essentials
import PlatformKit
import SQLite

extension NextAuth {
    /// One turn, before which everything happens that time has brought.
    func change<Value: Sendable>(_ body: (Turn) throws -> Value) throws -> Value {
        try world.change { turn in
            try settle(in: turn)
            // Those who watch everything look again after every change.
            turn.ring(about: [])
            return try body(turn)
        }
    }

    /// Looks at what is true now: what time has brought is written down first, where there is any.
    func look<Value: Sendable>(_ body: (Connection, Date) throws -> Value) throws -> Value {
        try settle()
        let now = services.clock.now()
        return try database.read { try body($0, now) }
    }

    /// Writes down and announces what time has brought: sessions without a ping, flows that waited too long. Costs one read when
    /// there is nothing.
    func settle() throws {
        let now = services.clock.now()
        let isDue = try database.read { db in
            try !DeviceSession.overdue(at: now, in: db).isEmpty || !Flow.overdue(at: now, in: db).isEmpty
        }
        if isDue { try change { _ in } }
    }

    private func settle(in turn: Turn) throws {
        for session in try DeviceSession.overdue(at: turn.now, in: turn.db) {
            try logins.end(session, session.deadline?.ending ?? .pingTimeout, in: turn)
        }
        for flow in try Flow.overdue(at: turn.now, in: turn.db) { try expire(flow, in: turn) }
    }

    private func expire(_ flow: Flow, in turn: Turn) throws {
        var flow = flow
        (flow.state, flow.failure) = (.error, .expired)
        try turn.update(flow)
        try logins.giveUp(flow, in: turn)
        let seconds = flow.expiresAt.seconds(since: flow.createdAt)
        turn.note(
            "flow expired", about: flow.hsid,
            "The \(flow.type.rawValue) flow \(flow.id) was not finished within \(seconds) s.")
    }
}
