import CSQLite

/// What a connection to databases in memory takes for its file: the pages of the database that it was told to enter.
///
/// SQLite's pager compares the file's change counter, bytes 24 to 27 of the first page, with the one it remembers, and drops its
/// cache when they differ. The counter that it sees is made here, for each connection by itself: it stays as long as what the
/// cache holds is what the database holds, and is another one after that. The schema cookie, bytes 40 to 43, is the number of the
/// tables, so what was prepared for one database serves for all with the same tables.
///
/// Source: SQLite file format §1.3.
final class Stage {
    private enum Header {
        static let counter = 24
        static let schema = 40
        /// A copy of the counter: the size of the file in the header is believed only when they are the same.
        static let versionValidFor = 92
    }

    private var overlay: Overlay?
    private var counter: UInt32 = 0
    /// What the pager's cache is of; 0 for nothing.
    private var cached: UInt64 = 0
    /// Whether the tables were changed here: what this connection remembers of them belongs to no number.
    private(set) var hasNewSchema = false
    /// The tables that the connection has read last.
    private(set) var schema: UInt32 = 0

    /// Shows the content of `overlay` from now on. True when it has other tables than the connection has read last.
    func enter(_ overlay: Overlay) -> Bool {
        defer { schema = overlay.schema }
        self.overlay = overlay
        if overlay.serial != cached { counter &+= 1 }
        cached = overlay.serial
        return schema != overlay.schema
    }

    /// A turn is over.
    ///
    /// - Parameter isSound: false when it failed, and the cache is best dropped.
    func leave(isSound: Bool) {
        overlay?.settle()
        cached = isSound ? overlay?.serial ?? 0 : 0
        overlay = nil
    }

    var byteCount: Int { (overlay?.pageCount ?? 0) * Page.size }

    /// False when some of it lies beyond the end; that is filled with zeros.
    func read(into target: UnsafeMutableRawPointer, count: Int, at offset: Int) -> Bool {
        var (done, isWhole) = (0, true)
        while done < count {
            let (index, start) = (offset + done).quotientAndRemainder(dividingBy: Page.size)
            let piece = min(Page.size - start, count - done)
            if let page = overlay?.page(index) {
                (target + done).copyMemory(from: page + start, byteCount: piece)
                if index == 0 { showHeader(in: target + done, from: start, to: start + piece) }
            } else {
                (target + done).initializeMemory(as: UInt8.self, repeating: 0, count: piece)
                if index >= overlay?.pageCount ?? 0 { isWhole = false }
            }
            done += piece
        }
        return isWhole
    }

    /// False when there is no memory.
    func write(_ page: UnsafeRawPointer, to index: Int) -> Bool {
        guard let overlay else { return false }
        guard index == 0 else { return overlay.write(page, to: index) }
        let isTold = overlay.page(0).map { differsInHeaderAlone(page, $0, overlay) } ?? false
        guard isTold || overlay.write(page, to: 0) else { return false }
        counter = Self.number(page, Header.counter)
        if Self.number(page, Header.schema) != overlay.schema {
            overlay.changeSchema()
            hasNewSchema = true
        }
        return true
    }

    func truncate(to byteCount: Int) {
        overlay?.truncate(to: (byteCount + Page.size - 1) / Page.size)
    }

    /// Puts in what a reader shall see where the bytes from `start` to `end` of the first page cover it.
    private func showHeader(in target: UnsafeMutableRawPointer, from start: Int, to end: Int) {
        func show(_ number: UInt32, at place: Int) {
            guard place >= start, place + 4 <= end else { return }
            (target + place - start).storeBytes(of: number.bigEndian, as: UInt32.self)
        }
        show(counter, at: Header.counter)
        show(overlay?.schema ?? 0, at: Header.schema)
        show(counter, at: Header.versionValidFor)
    }

    /// Whether the page is what `old` would be shown as, but for the counter.
    private func differsInHeaderAlone(
        _ page: UnsafeRawPointer, _ old: UnsafeRawPointer, _ overlay: Overlay
    ) -> Bool {
        guard Self.number(page, Header.schema) == overlay.schema else { return false }
        var start = 0
        for place in [Header.counter, Header.schema, Header.versionValidFor] {
            if memcmp(page + start, old + start, place - start) != 0 { return false }
            start = place + 4
        }
        return memcmp(page + start, old + start, Page.size - start) == 0
    }

    private static func number(_ page: UnsafeRawPointer, _ place: Int) -> UInt32 {
        UInt32(bigEndian: page.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }
}
