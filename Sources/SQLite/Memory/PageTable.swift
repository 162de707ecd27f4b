import CSQLite

/// Pages by their place in the file, where only few of many are there. Whoever owns a table empties it before it goes.
struct PageTable {
    private typealias Chunk = UnsafeMutablePointer<Page?>

    private static let chunkLength = 32

    private var chunks: UnsafeMutablePointer<Chunk?>?
    private var chunkCount = 0

    /// The page at `index`, counted from 0.
    subscript(_ index: Int) -> Page? {
        let place = index / Self.chunkLength
        guard place < chunkCount, let chunk = chunks?[place] else { return nil }
        return chunk[index % Self.chunkLength]
    }

    /// Holds `page`, which the caller held, from now on. False when there is no memory; then nothing changed.
    mutating func put(_ page: Page, at index: Int) -> Bool {
        guard makeRoom(for: index), let chunk = chunks?[index / Self.chunkLength] else { return false }
        chunk[index % Self.chunkLength] = page
        return true
    }

    /// Whether ``put(_:at:)`` needs no more memory than the page.
    func hasRoom(for index: Int) -> Bool {
        let place = index / Self.chunkLength
        return place < chunkCount && chunks?[place] != nil
    }

    /// Lets go of the page at `index`.
    mutating func remove(at index: Int) {
        let place = index / Self.chunkLength
        guard place < chunkCount, let chunk = chunks?[place] else { return }
        chunk[index % Self.chunkLength]?.letGo()
        chunk[index % Self.chunkLength] = nil
    }

    /// Lets go of every page from `index` on.
    mutating func remove(from index: Int) {
        for place in min(index / Self.chunkLength, chunkCount)..<chunkCount {
            guard let chunk = chunks?[place] else { continue }
            let first = max(0, index - place * Self.chunkLength)
            for slot in first..<Self.chunkLength {
                chunk[slot]?.letGo()
                chunk[slot] = nil
            }
            if first == 0 {
                sqlite3_free(chunk)
                chunks?[place] = nil
            }
        }
    }

    /// Lets go of everything.
    mutating func empty() {
        remove(from: 0)
        sqlite3_free(chunks)
        (chunks, chunkCount) = (nil, 0)
    }

    /// Holds all pages of `other` as well, in the place of those here. False when there is no memory; then it holds some.
    mutating func add(_ other: PageTable) -> Bool {
        for place in 0..<other.chunkCount {
            guard let chunk = other.chunks?[place] else { continue }
            for slot in 0..<Self.chunkLength {
                guard let page = chunk[slot] else { continue }
                let index = place * Self.chunkLength + slot
                let replaced = self[index]
                guard put(page, at: index) else { return false }
                page.hold()
                replaced?.letGo()
            }
        }
        return true
    }

    private mutating func makeRoom(for index: Int) -> Bool {
        let place = index / Self.chunkLength
        if place >= chunkCount, !grow(to: place + 1) { return false }
        if chunks?[place] != nil { return true }
        guard let memory = sqlite3_malloc64(UInt64(Self.chunkLength * MemoryLayout<Page?>.stride)) else {
            return false
        }
        let chunk = memory.bindMemory(to: Page?.self, capacity: Self.chunkLength)
        chunk.initialize(repeating: nil, count: Self.chunkLength)
        chunks?[place] = chunk
        return true
    }

    private mutating func grow(to count: Int) -> Bool {
        let grown = max(count, chunkCount + chunkCount / 2)
        let size = UInt64(grown * MemoryLayout<Chunk?>.stride)
        guard let memory = sqlite3_realloc64(chunks, size) else { return false }
        let list = memory.bindMemory(to: Chunk?.self, capacity: grown)
        (list + chunkCount).initialize(repeating: nil, count: grown - chunkCount)
        (chunks, chunkCount) = (list, grown)
        return true
    }
}
