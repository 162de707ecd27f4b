import PlatformKit
import Synchronization

/// The newest journal entry as an event, so that many listeners of one journal share the work of writing it.
final class EntryCache: Sendable {
    private struct Kept {
        /// Held, so that its address cannot come to mean another journal.
        let journal: Journal
        let id: Int
        let event: [UInt8]
    }

    private let kept = Mutex<Kept?>(nil)

    init() {}

    func event(_ entry: JournalEntry, of journal: Journal) throws -> [UInt8] {
        let found = kept.withLock {
            $0.flatMap { $0.journal === journal && $0.id == entry.id ? $0.event : nil }
        }
        if let found { return found }
        let event = try EventText.event("entry", id: entry.id, EntryJSON(entry))
        kept.withLock { $0 = Kept(journal: journal, id: entry.id, event: event) }
        return event
    }
}
