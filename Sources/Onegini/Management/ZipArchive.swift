/// A zip file whose entries are stored as they are, without compression. Source: PKWARE APPNOTE 6.3.10 §4.3.
struct ZipArchive: Sendable {
    private struct Entry: Sendable {
        let name: [UInt8]
        let content: [UInt8]
        let checksum: UInt32
        let offset: Int
    }

    private var entries: [Entry] = []
    private var body: [UInt8] = []

    /// - Parameters:
    ///   - name: a relative path with slashes.
    ///   - content: what is in it, of less than 4 GiB as all of the archive.
    mutating func add(_ name: String, _ content: [UInt8]) {
        let entry = Entry(
            name: Array(name.utf8), content: content, checksum: CRC32.of(content), offset: body.count)
        body += Self.littleEndian(0x0403_4B50, 4) + Self.common(entry)
        body += Self.littleEndian(0, 2) + entry.name + entry.content
        entries.append(entry)
    }

    /// The whole file: entries, directory, end.
    var bytes: [UInt8] {
        var directory: [UInt8] = []
        for entry in entries {
            directory += Self.littleEndian(0x0201_4B50, 4) + Self.littleEndian(20, 2) + Self.common(entry)
            // Extra field, comment, disk, internal and external attributes: none.
            directory += [UInt8](repeating: 0, count: 12)
            directory += Self.littleEndian(entry.offset, 4) + entry.name
        }
        return body + directory + Self.littleEndian(0x0605_4B50, 4) + [0, 0, 0, 0]
            + Self.littleEndian(entries.count, 2) + Self.littleEndian(entries.count, 2)
            + Self.littleEndian(directory.count, 4) + Self.littleEndian(body.count, 4) + [0, 0]
    }

    /// What the header of an entry and its line in the directory have alike, up to the length of the name.
    private static func common(_ entry: Entry) -> [UInt8] {
        // Version 2.0, names in UTF-8 (bit 11), stored, 1980-01-01 00:00.
        littleEndian(20, 2) + littleEndian(0x0800, 2) + littleEndian(0, 2) + littleEndian(0, 2)
            + littleEndian(0x0021, 2) + littleEndian(Int(entry.checksum), 4)
            + littleEndian(entry.content.count, 4) + littleEndian(entry.content.count, 4)
            + littleEndian(entry.name.count, 2)
    }

    private static func littleEndian(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

/// The checksum of zip files. Source: ISO 3309; PKWARE APPNOTE 6.3.10 §4.4.7.
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
    }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
    }
}
