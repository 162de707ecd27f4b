import Essentials
import PlatformKit
import SQLite

/// One transaction with what is told when it is over.
struct Turn {
    let db: Connection
    let now: Date
    fileprivate(set) var notes: [Note] = []
    var pushes: [Message] = []
    /// Devices that are told something, or will be by time at another moment than before.
    var toldInstances: Set<String> = []

    /// An event of the journal.
    struct Note: Sendable {
        let event: String
        let subject: String?
        let explanation: String
    }

    /// What leaves the transaction.
    fileprivate struct Told: Sendable {
        let notes: [Note]
        let pushes: [Message]
        let topics: Set<String>

        init(_ turn: Turn) {
            (notes, pushes) = (turn.notes, turn.pushes)
            topics = Set(turn.toldInstances.map(DeviceEvent.topic))
        }
    }

    init(db: Connection, now: Date) { (self.db, self.now) = (db, now) }

    /// Tells the journal, after the transaction.
    ///
    /// - Parameters: what happened in a few words, whom it is about, and a full sentence.
    mutating func note(_ event: String, about subject: String? = nil, _ explanation: String) {
        notes.append(Note(event: event, subject: subject, explanation: explanation))
    }
}

extension NextAuth {
    /// One transaction, before which everything happens that time has brought. What it notes is told after it, and only when it
    /// succeeded: a refusal that must be remembered is returned from the closure and thrown after it.
    func change<Value: Sendable>(_ body: (inout Turn) throws -> Value) throws -> Value {
        let now = services.clock.now()
        let (value, told) = try database.write { db -> (Value, Turn.Told) in
            var turn = Turn(db: db, now: now)
            try settle(in: &turn)
            let value = try body(&turn)
            return (value, Turn.Told(turn))
        }
        for note in told.notes { services.journal.event(note.event, about: note.subject, note.explanation) }
        for push in told.pushes { try services.outbox.deliver(push) }
        services.changes.ring(about: told.topics)
        return value
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
            try !deviceSessions.overdue(at: now, in: db).isEmpty || !flows.overdue(at: now, in: db).isEmpty
        }
        if isDue { try change { _ in } }
    }

    private func settle(in turn: inout Turn) throws {
        for session in try deviceSessions.overdue(at: turn.now, in: turn.db) {
            try end(session, session.deadline?.ending ?? .pingTimeout, in: &turn)
        }
        for flow in try flows.overdue(at: turn.now, in: turn.db) { try expire(flow, in: &turn) }
    }

    private func expire(_ flow: Flow, in turn: inout Turn) throws {
        var flow = flow
        (flow.state, flow.failure) = (.error, .expired)
        try flows.update(flow, in: turn.db)
        try giveUp(flow, in: &turn)
        let seconds = Int(flow.expiresAt.timeIntervalSince(flow.createdAt).rounded())
        turn.note(
            "flow expired", about: flow.hsid,
            "The \(flow.type.rawValue) flow \(flow.id) was not finished within \(seconds) s.")
    }
}
