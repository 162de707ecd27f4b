import PlatformKit
import Synchronization

/// The newest journal entry as an event, so that many listeners of one journal share the work of writing it.
final class EntryCache: Sendable {
    private struct Kept {
        /// Held, so that its address cannot come to mean another journal.
        let journal: Journal
        let id: Int
        var whole: [UInt8]?
        var brief: [UInt8]?
    }

    /// What a listener is told of an entry.
    enum Extent {
        /// Everything, as in the list.
        case whole
        /// Its id and when it was written: that something happened.
        case brief
    }

    /// An entry for those who ask for the rest when they need it. A page that draws its list anew five times a second reads
    /// three thousand of them at a twentieth of the cost.
    private struct Brief: Encodable {
        let id: Int
        let at: String
    }

    private let kept = Mutex<Kept?>(nil)

    init() {}

    func event(_ entry: JournalEntry, _ extent: Extent, of journal: Journal) throws -> [UInt8] {
        let part: WritableKeyPath<Kept, [UInt8]?> = extent == .whole ? \.whole : \.brief
        var held = kept.withLock { $0 }
        if held?.journal !== journal || held?.id != entry.id { held = nil }
        if let found = held?[keyPath: part] { return found }
        let event =
            switch extent {
            case .whole: try EventText.event("entry", id: entry.id, EntryJSON(entry))
            case .brief:
                try EventText.event(
                    "entry", id: entry.id, Brief(id: entry.id, at: Timestamp.text(entry.at)))
            }
        var new = held ?? Kept(journal: journal, id: entry.id)
        new[keyPath: part] = event
        kept.withLock { [new] in $0 = new }
        return event
    }
}
