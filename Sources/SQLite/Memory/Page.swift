import CSQLite
import Synchronization

/// One page of a database: its bytes, and a count of those who hold them. A page that more than one holds is never changed.
///
/// The memory is SQLite's own, so that its lack is an error code and not the end of the process.
struct Page {
    /// As every database of the house has them, because a world has some hundred tables of a few rows, each with a page of its
    /// own at least.
    static let size = 1024

    private let start: UnsafeMutableRawPointer

    private static let offset = 16

    /// A page of zeros held once; nil when there is no memory.
    init?() {
        guard MemoryPages.take() else { return nil }
        guard let start = sqlite3_malloc64(UInt64(Self.offset + Self.size)) else {
            MemoryPages.giveBack()
            return nil
        }
        self.start = start
        start.bindMemory(to: Atomic<Int>.self, capacity: 1).initialize(to: Atomic(1))
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: Self.size)
    }

    var bytes: UnsafeMutableRawPointer { start + Self.offset }

    private var owners: UnsafeMutablePointer<Atomic<Int>> { start.assumingMemoryBound(to: Atomic<Int>.self) }

    func hold() { owners.pointee.wrappingAdd(1, ordering: .relaxed) }

    func letGo() {
        guard owners.pointee.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 else {
            return
        }
        sqlite3_free(start)
        MemoryPages.giveBack()
    }
}

/// How many pages all databases in memory may have, which they do not share with the file of an image.
package enum MemoryPages {
    private static let count = Atomic<Int>(0)
    private static let most = Atomic<Int>(.max)

    /// Bytes of a page with what the allocator adds.
    private static let bytesOfPage = Page.size + 32

    /// Sets the most that they may take; what is there already stays. Beyond it, a turn that needs another page fails with
    /// ``SQLiteError/StorageFault/memory`` and is rolled back.
    package static func limit(bytes: Int) { most.store(bytes / bytesOfPage, ordering: .relaxed) }

    package static var bytes: Int { count.load(ordering: .relaxed) * bytesOfPage }

    static func take() -> Bool {
        let taken = count.add(1, ordering: .relaxed).newValue
        guard taken > most.load(ordering: .relaxed) else { return true }
        giveBack()
        return false
    }

    static func giveBack() { count.subtract(1, ordering: .relaxed) }
}
