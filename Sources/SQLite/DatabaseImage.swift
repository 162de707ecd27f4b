import CSQLite

/// The whole content of a database, which never changes. Databases in memory that begin with it, and images made of those, share
/// its pages.
package struct DatabaseImage: Sendable {
    let pages: Pages
    /// Made by SQLite itself in this process, so it need not be looked at before it is used.
    let isSound: Bool

    /// The bytes of a SQLite file, from elsewhere.
    package init(bytes: [UInt8]) { self.init(bytes: bytes, isSound: false) }

    /// The bytes of a SQLite file that stay where they are: pages that nobody asks for are never touched.
    ///
    /// - Parameter owner: lets them go when nothing holds it any more; until then they never change.
    package init(bytes: UnsafeRawBufferPointer, of owner: any AnyObject & Sendable) {
        self.init(Pages(bytes, of: owner), isSound: false)
    }

    init(bytes: [UInt8], isSound: Bool) { self.init(Pages(bytes), isSound: isSound) }

    init(_ pages: Pages, isSound: Bool) {
        self.pages = pages
        self.isSound = isSound
    }

    /// Of the SQLite file.
    package var byteCount: Int { pages.count * Page.size }

    /// As a SQLite file.
    package var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: pages.count * Page.size) { buffer, count in
            for index in 0..<pages.count {
                let target = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[
                        index * Page.size..<(index + 1) * Page.size])
                if let page = pages.page(index) {
                    target.copyMemory(from: UnsafeRawBufferPointer(start: page, count: Page.size))
                } else {
                    target.initializeMemory(as: UInt8.self, repeating: 0)
                }
            }
            count = buffer.count
        }
    }
}

extension DatabaseImage: Equatable {
    /// Whether the content is the same to the byte.
    package static func == (one: DatabaseImage, other: DatabaseImage) -> Bool {
        one.pages.count == other.pages.count
            && (0..<one.pages.count).allSatisfy { index in
                let (page, twin) = (one.pages.page(index), other.pages.page(index))
                guard let page, let twin else { return page == twin }
                return page == twin || memcmp(page, twin, Page.size) == 0
            }
    }
}

extension DatabaseImage {
    /// The pages of an image: a file as it was read, and those that differ from it.
    ///
    /// `@unchecked Sendable`: nothing changes after `init`.
    final class Pages: @unchecked Sendable {
        private let file: File
        /// So many pages of the file show.
        private let shownOfFile: Int
        private var changed = PageTable()
        let count: Int
        /// See ``SchemaNumbers``.
        let schema: UInt32

        /// Bytes behind the last whole page are left out; no sound file has any.
        convenience init(_ bytes: [UInt8]) { self.init(File(bytes), size: bytes.count) }

        convenience init(_ bytes: UnsafeRawBufferPointer, of owner: any AnyObject & Sendable) {
            self.init(File(bytes, of: owner), size: bytes.count)
        }

        private init(_ file: File, size: Int) {
            self.file = file
            count = size / Page.size
            shownOfFile = count
            schema = count == 0 ? 0 : SchemaNumbers.next()
        }

        private init(_ file: File, shown: Int, _ changed: PageTable, count: Int, schema: UInt32) {
            (self.file, shownOfFile, self.changed) = (file, shown, changed)
            (self.count, self.schema) = (count, schema)
        }

        deinit { changed.empty() }

        /// The bytes of a page; nil beyond the end, and where nothing was ever written.
        func page(_ index: Int) -> UnsafeRawPointer? {
            if let page = changed[index] { return UnsafeRawPointer(page.bytes) }
            return index < shownOfFile ? file.page(index) : nil
        }

        /// What the header says, in bytes; nil when there is none. Source: SQLite file format §1.3.
        var statedPageSize: Int? {
            guard let header = page(0), memcmp(header, "SQLite format 3", 16) == 0 else { return nil }
            let size = Int(UInt16(bigEndian: header.loadUnaligned(fromByteOffset: 16, as: UInt16.self)))
            return size == 1 ? 65_536 : size
        }

        /// An image with the pages of `own` in the place of those here, cut to the first `shown` before that.
        ///
        /// - Throws: when there is no memory.
        func replacing(_ own: PageTable, shown: Int, count: Int, schema: UInt32) throws -> Pages {
            var merged = PageTable()
            guard merged.add(changed) else { throw Self.memoryIsLacking(&merged) }
            merged.remove(from: shown)
            guard merged.add(own) else { throw Self.memoryIsLacking(&merged) }
            return Pages(file, shown: min(shownOfFile, shown), merged, count: count, schema: schema)
        }

        private static func memoryIsLacking(_ table: inout PageTable) -> SQLiteError {
            table.empty()
            return SQLiteError(code: SQLITE_NOMEM, message: "out of memory", statement: "image")
        }
    }

    /// A file in memory.
    ///
    /// `@unchecked Sendable`: nothing changes after `init`.
    private final class File: @unchecked Sendable {
        private let bytes: UnsafeRawBufferPointer
        /// Whose the bytes are; nil when they are this file's own.
        private let owner: (any AnyObject & Sendable)?

        init(_ bytes: [UInt8]) {
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
            copy.copyBytes(from: bytes)
            (self.bytes, owner) = (UnsafeRawBufferPointer(copy), nil)
        }

        init(_ bytes: UnsafeRawBufferPointer, of owner: any AnyObject & Sendable) {
            (self.bytes, self.owner) = (bytes, owner)
        }

        deinit { if owner == nil { bytes.deallocate() } }

        func page(_ index: Int) -> UnsafeRawPointer? {
            bytes.baseAddress.map { $0 + index * Page.size }
        }
    }
}
