import HTTP

/// The latest entries of a journal, in a ring: the place of an entry follows from its id.
struct JournalWindow {
    /// A class, so that taking it in and out moves one reference.
    final class Kept: Sendable {
        let entry: JournalEntry
        fileprivate let weight: Int

        fileprivate init(entry: JournalEntry, weight: Int) {
            self.entry = entry
            self.weight = weight
        }
    }

    /// What was taken out, to be freed where nobody waits for it.
    struct Dropped {
        fileprivate var kept: [Kept?] = []
    }

    private let entryLimit: Int
    private let byteLimit: Int
    private var ring: [Kept?] = []
    private var oldestID = 1
    private(set) var lastID = 0
    private(set) var bytes = 0
    /// Entries that had to go for want of room.
    private(set) var lost = 0

    init(entries: Int, bytes: Int) {
        entryLimit = entries
        byteLimit = bytes
    }

    /// Numbers `entry`, keeps it, and takes out what is too much then.
    ///
    /// - Parameter weight: as ``JournalEntry/weight`` says, which is worked out before the lock is taken.
    mutating func append(_ entry: inout JournalEntry, weight: Int) -> Dropped {
        var dropped = Dropped()
        if count == entryLimit { dropOldest(into: &dropped) }
        lastID += 1
        entry.id = lastID
        let kept = Kept(entry: entry, weight: weight)
        if place(of: lastID) == ring.count { ring.append(kept) } else { ring[place(of: lastID)] = kept }
        bytes += weight
        while bytes > byteLimit, count > 0 { dropOldest(into: &dropped) }
        return dropped
    }

    /// Takes out the oldest until at most `most` bytes are left, but never the newest.
    mutating func shrink(to most: Int) -> Dropped {
        var dropped = Dropped()
        while bytes > most, count > 1 { dropOldest(into: &dropped) }
        return dropped
    }

    mutating func clear() -> Dropped {
        defer {
            ring = Array(repeating: nil, count: ring.count)
            oldestID = lastID + 1
            (bytes, lost) = (0, 0)
        }
        return Dropped(kept: ring)
    }

    /// Newest first, at most so many, from the one before `id` on; from the newest on without one.
    func entries(before id: Int?, atMost count: Int) -> [Kept] {
        let end = min(id ?? .max, lastID + 1)
        guard oldestID < end else { return [] }
        return (max(oldestID, end - count)..<end).reversed().compactMap { ring[place(of: $0)] }
    }

    /// Oldest first, at most so many, from the one after `id` on, up to `last` and with it.
    func entries(after id: Int, through last: Int, atMost count: Int) -> [Kept] {
        let start = max(oldestID, id + 1)
        let end = min(last, lastID)
        guard start <= end else { return [] }
        return (start..<min(end + 1, start + count)).compactMap { ring[place(of: $0)] }
    }

    /// Nil when it never was, or is no longer among the latest.
    func entry(_ id: Int) -> JournalEntry? {
        oldestID <= id && id <= lastID ? ring[place(of: id)]?.entry : nil
    }

    private var count: Int { lastID - oldestID + 1 }

    private func place(of id: Int) -> Int { (id - 1) % entryLimit }

    private mutating func dropOldest(into dropped: inout Dropped) {
        let kept = ring[place(of: oldestID)]
        ring[place(of: oldestID)] = nil
        oldestID += 1
        lost += 1
        bytes -= kept?.weight ?? 0
        dropped.kept.append(kept)
    }
}

extension JournalEntry {
    /// Bytes that the entry takes with everything it refers to: each text and list costs an allocation beside its content.
    var weight: Int {
        let allocation = 48
        var texts = 400
        for text in [explanation, subject, correlation] { texts += allocation + (text?.utf8.count ?? 0) }
        for subject in subjects {
            texts += 33 + (subject.id.utf8.count > 15 ? allocation + subject.id.utf8.count : 0)
        }
        for departure in departures {
            texts += 80 + 2 * allocation + departure.to.utf8.count + departure.title.utf8.count
        }
        guard let exchange else { return texts + (message.map { allocation + $0.body.bytes.count } ?? 0) }
        let bodies = exchange.requestBody.bytes.count + exchange.responseBody.bytes.count
        return texts + exchange.target.utf8.count + bodies + 6 * allocation
            + exchange.requestHeaders.weight(allocation) + exchange.responseHeaders.weight(allocation)
    }
}

extension Headers {
    /// Name and value are 16 bytes each; up to 15 characters stand in them, longer ones beside.
    fileprivate func weight(_ allocation: Int) -> Int {
        var sum = 0
        for field in fields {
            sum += 32 + Self.long(field.name, allocation) + Self.long(field.value, allocation)
        }
        return sum
    }

    private static func long(_ text: String, _ allocation: Int) -> Int {
        text.utf8.count > 15 ? allocation + text.utf8.count : 0
    }
}
