import Dispatch
import Essentials
import SQLite

extension WorldCore {
    /// Keeps a message as what became of it says, in the caller's transaction.
    ///
    /// - Returns: what goes out now.
    func insert(_ message: Message, _ strike: FaultStrikes.Strike?, at now: Date, in db: Connection) throws
        -> [Letter]
    {
        switch strike?.delivery.fate {
        case nil: return [try insert(message, at: now, in: db)]
        case .lost: return []
        case .twice: return try (0..<2).map { _ in try insert(message, at: now, in: db) }
        case .late:
            let late = LateMessage(
                id: services.entropy.identifier(for: "kit.late"),
                dueAt: clock.now.addingTimeInterval(strike?.delivery.seconds ?? 0), fault: strike?.name ?? "",
                message: message)
            try db.insert(late)
            return []
        }
    }

    /// Sends what is due, and looks again when the next is. To be called whenever the clock was moved, or messages came to be held back.
    func deliverLateMessages() {
        do {
            let (letters, next) = try takeDue()
            for letter in letters { announceLate(letter) }
            if let next, !clock.isFrozen { lookAgain(in: next.timeIntervalSince(clock.now)) }
        } catch {
            journal.append(
                JournalEntry(
                    .event, at: clock.now, event: "late messages not sent",
                    explanation: "Messages that are held back could not be sent: \(error).", isBug: true))
        }
    }

    private func takeDue() throws -> (letters: [(Letter, String)], next: Date?) {
        // Most worlds hold nothing back: a look does not keep others from writing.
        guard let first = try database.read({ try $0.first(LateMessage.self, where: "1") }) else {
            return ([], nil)
        }
        if first.dueAt > clock.now { return ([], first.dueAt) }
        return try database.write { db in
            let now = clock.now
            let due = try db.all(LateMessage.self, where: "due_at <= \(now)")
            try db.delete(LateMessage.self, where: "due_at <= \(now)")
            let letters = try due.map { (try insert($0.message, at: now, in: db), $0.fault) }
            return (letters, try db.first(LateMessage.self, where: "1")?.dueAt)
        }
    }

    private func announceLate(_ letter: (letter: Letter, fault: String)) {
        announce(letter.letter)
        let message = letter.letter.sent.message
        journal.append(
            JournalEntry(
                .event, at: clock.now, platform: message.source, event: "late message sent",
                subject: message.to.address,
                explanation:
                    "The message \(letter.letter.sent.id), which the fault “\(letter.fault)” held back, went out."
            ))
    }

    /// In real seconds; a clock that is moved meanwhile has its own look.
    private func lookAgain(in seconds: Double) {
        DispatchQueue.global().asyncAfter(deadline: .now() + min(max(seconds, 0) + 0.001, 86_400)) {
            [weak self] in
            self?.deliverLateMessages()
        }
    }
}

extension World {
    /// The clock was moved: wakes those who wait for time to pass, and has done what is due.
    package func clockMoved() {
        services.changes.ring()
        core.deliverLateMessages()
        core.attend()
    }
}
