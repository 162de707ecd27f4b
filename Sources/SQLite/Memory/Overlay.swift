import CSQLite
import Synchronization

/// The content of one database in memory: the pages that it changed, over an image that others may share.
///
/// Used by one thread at a time, under the gate of its ``Database``.
final class Overlay {
    private(set) var image: DatabaseImage.Pages
    private var own = PageTable()
    /// Pages of the file, those beyond the image's included.
    private(set) var pageCount: Int
    /// So many pages of the image are part of the file; it was once cut to that.
    private var shownOfImage: Int

    /// The number by which connections know the tables: see ``SchemaNumbers``. They see it in the place of SQLite's own cookie,
    /// bytes 40 to 43 of the first page.
    private(set) var schema: UInt32
    /// Names this content among all that ever were in this process. A connection whose cache is of the same serial need not read
    /// anything again.
    private(set) var serial = Overlay.nextSerial()
    /// Whether something was written since ``settle()``.
    private var isTouched = false
    /// How many more pieces of memory may be taken: tests let it run out.
    var allocationsLeft = Int.max

    private static let serials = Atomic<UInt64>(0)

    private static func nextSerial() -> UInt64 { serials.wrappingAdd(1, ordering: .relaxed).newValue }

    init(_ image: DatabaseImage.Pages) {
        self.image = image
        pageCount = image.count
        shownOfImage = image.count
        schema = image.schema
    }

    deinit { own.empty() }

    /// How many pages are not shared with an image, be they this database's alone or some other image's as well.
    func pageCount(beside image: DatabaseImage.Pages) -> Int {
        (0..<pageCount).count { index in
            guard let page = page(index) else { return false }
            return page != image.page(index)
        }
    }

    /// The bytes of a page; nil beyond the end, and where nothing was ever written.
    func page(_ index: Int) -> UnsafeRawPointer? {
        if let page = own[index] { return UnsafeRawPointer(page.bytes) }
        return index < shownOfImage ? image.page(index) : nil
    }

    /// False when there is no memory; then nothing changed.
    ///
    /// A page that is written as it is already takes no memory. So the journal of a transaction can always be played back: what
    /// it changed has its memory, and what it did not is as it was.
    func write(_ bytes: UnsafeRawPointer, to index: Int) -> Bool {
        if let page = own[index] {
            page.bytes.copyMemory(from: bytes, byteCount: Page.size)
        } else if let old = page(index), memcmp(old, bytes, Page.size) == 0 {
            return true
        } else {
            guard allocate(index), let page = Page() else { return false }
            page.bytes.copyMemory(from: bytes, byteCount: Page.size)
            guard own.put(page, at: index) else {
                page.letGo()
                return false
            }
        }
        pageCount = max(pageCount, index + 1)
        isTouched = true
        return true
    }

    func truncate(to count: Int) {
        own.remove(from: count)
        shownOfImage = min(shownOfImage, count)
        pageCount = count
        isTouched = true
    }

    /// The tables are others than before.
    func changeSchema() {
        schema = SchemaNumbers.next()
        isTouched = true
    }

    /// To be called after a turn: what was written in it is a content of its own.
    func settle() {
        if isTouched { serial = Self.nextSerial() }
        isTouched = false
    }

    /// Puts `image` in the place of everything.
    func restore(_ image: DatabaseImage.Pages) {
        own.empty()
        self.image = image
        (pageCount, shownOfImage, schema) = (image.count, image.count, image.schema)
        (serial, isTouched) = (Self.nextSerial(), false)
    }

    /// The content as an image, which this goes on from. No page is copied.
    ///
    /// - Parameter schema: the number of its tables.
    /// - Throws: when there is no memory.
    func freeze(schema: UInt32) throws -> DatabaseImage.Pages {
        let frozen = try image.replacing(own, shown: shownOfImage, count: pageCount, schema: schema)
        own.empty()
        image = frozen
        shownOfImage = pageCount
        if schema != self.schema { (self.schema, serial) = (schema, Self.nextSerial()) }
        return frozen
    }

    /// Lets go of the pages that the database has free. SQLite reads none of them: it writes such a page anew before it uses it.
    ///
    /// Source: SQLite file format §1.5, the freelist.
    func giveBackFreePages() {
        var next = page(0).map { Self.number($0, at: Header.firstTrunk) } ?? 0
        // As many trunks as pages at most, however they are linked.
        for _ in 0..<pageCount {
            guard next > 1, next <= pageCount, let trunk = page(next - 1) else { return }
            for slot in 0..<min(Self.number(trunk, at: 4), Page.size / 4 - 2) {
                let leaf = Self.number(trunk, at: 8 + 4 * slot)
                if leaf > 1, leaf <= pageCount { own.remove(at: leaf - 1) }
            }
            next = Self.number(trunk, at: 0)
        }
    }

    private enum Header { static let firstTrunk = 32 }

    private static func number(_ page: UnsafeRawPointer, at place: Int) -> Int {
        Int(UInt32(bigEndian: page.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
    }

    private func allocate(_ index: Int) -> Bool {
        let needed = own.hasRoom(for: index) ? 1 : 2
        guard allocationsLeft >= needed else { return false }
        if allocationsLeft != .max { allocationsLeft -= needed }
        return true
    }
}
