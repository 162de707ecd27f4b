import Essentials
import SQLite
import Synchronization

/// The memory that the outbox of one world takes, of which the outboxes of all worlds have a budget. The oldest messages of the fullest
/// make room.
final class OutboxMemory: Keeper {
    private let database: Database
    private let bell: Bell
    private let budget: KeptBudget
    /// What the last message that was kept left, and how much of it the budget knows of.
    private let measured = Atomic<Int>(0)
    private let noted = Atomic<Int>(0)

    /// Bytes of a message besides its source, and how many times that: text and HTML stand beside it.
    private static let bytesOfMessage = 1024
    private static let copies = 2
    /// More than any outbox has, and far from where sums of all outboxes end.
    private static let mostBytes = 1 << 40

    init(_ database: Database, _ bell: Bell, _ budget: KeptBudget) {
        (self.database, self.bell, self.budget) = (database, bell, budget)
    }

    deinit { budget.leave(ObjectIdentifier(self), bytes: keptBytes) }

    var keptBytes: Int { noted.load(ordering: .relaxed) }

    /// Bytes of source that one outbox may have.
    var byteLimit: Int { budget.most / Self.copies }

    /// Within a transaction; ``settle()`` follows its commit.
    func measure(_ db: Connection) throws {
        let bytes = try db.value(
            Int.self,
            """
            SELECT CAST(\(Self.copies) * (newest.through - oldest.through + length(oldest.raw))
                + \(Self.bytesOfMessage) * (newest.id - oldest.id + 1) AS INTEGER)
            FROM kit_message AS newest, kit_message AS oldest
            WHERE newest.id = (SELECT max(id) FROM kit_message) AND oldest.id = (SELECT min(id) FROM kit_message)
            """)
        // Numbers of rows that no message of ours has are no size of anything.
        measured.store((bytes ?? 0).clamped(to: 0...Self.mostBytes), ordering: .relaxed)
    }

    /// Has the budget know what was measured. Not within a transaction, since others may have to make room.
    func settle() {
        let bytes = measured.load(ordering: .relaxed)
        let before = noted.exchange(bytes, ordering: .relaxed)
        if before == 0 { budget.join(self) }
        budget.note(bytes - before)
    }

    /// A world whose database cannot be written to keeps what it has.
    func shrink(to bytes: Int) {
        do {
            try database.write { db in
                try db.execute(
                    """
                    DELETE FROM kit_message WHERE id < (SELECT max(id) FROM kit_message)
                        AND \(Self.copies) * ((SELECT through FROM kit_message ORDER BY id DESC LIMIT 1) - through + length(raw))
                            + \(Self.bytesOfMessage) * ((SELECT max(id) FROM kit_message) - id + 1) > \(bytes)
                    """)
                try measure(db)
            }
        } catch {
            return
        }
        giveBack()
        bell.ring()
    }

    /// After messages were deleted.
    func giveBack() {
        settle()
        database.giveBackFreePages()
    }
}
