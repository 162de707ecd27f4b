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
        var sum = 200 + (explanation?.storedBytes ?? 0) + (correlation?.storedBytes ?? 0)
        for subject in subjects { sum += 64 + subject.id.storedBytes }
        if isAside {
            sum += 200 + (subject?.storedBytes ?? 0) + (message?.body.storedBytes ?? 0)
            for departure in departures { sum += 80 + departure.to.storedBytes + departure.title.storedBytes }
        }
        guard let exchange else { return sum }
        return sum + 200 + exchange.target.storedBytes
            + exchange.requestBody.storedBytes + exchange.responseBody.storedBytes
            + exchange.requestHeaders.storedBytes + exchange.responseHeaders.storedBytes
    }
}

/// What an allocation has beside its content.
private let allocationBytes = 48

extension String {
    /// Up to 15 bytes stand in the text itself.
    fileprivate var storedBytes: Int { utf8.count > 15 ? allocationBytes + utf8.count : 0 }
}

extension JournalBody {
    fileprivate var storedBytes: Int { bytes.isEmpty ? 0 : allocationBytes + bytes.count }
}

extension Headers {
    fileprivate var storedBytes: Int {
        var sum = allocationBytes
        for field in fields { sum += 32 + field.name.storedBytes + field.value.storedBytes }
        return sum
    }
}
