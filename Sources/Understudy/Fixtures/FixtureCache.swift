import Essentials
import PlatformKit
import SQLite

/// Databases made of fixture files, kept in the user's cache folder: making one anew is most of a start.
///
/// An entry holds what it was made of as well: the content of all files, this version of the program, its executable. It is used only
/// where that is the same, byte for byte; what is damaged or of another program is none. Nothing here keeps a program from starting.
///
/// In an entry: the database, what it was made of, and a line with the form and a checksum of what is before it.
struct FixtureCache: Sendable {
    /// As many databases are kept, those that were made last.
    static let entryLimit = 16
    private static let mark = "understudy fixtures 2 "
    private static let lineSize = mark.utf8.count + 17
    private static let suffix = ".world"
    private static let byteLimit = 64 * 1_048_576

    let folder: String
    /// Size and time of change of the running program's file.
    let program: String

    init(folder: String, program: String) { (self.folder, self.program) = (folder, program) }

    /// That of the user; nil where there is no such folder, or no telling which program this is.
    ///
    /// Source: XDG Base Directory Specification 0.8, `$XDG_CACHE_HOME`.
    init?(environment: [String: String]) {
        // A folder that is not absolute is to be ignored.
        let own = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.cache" : nil }
        guard let base = own ?? home, let program = Self.runningProgram else { return nil }
        self.init(folder: base + "/understudy", program: program)
    }

    private static let runningProgram: String? = {
        // On a system without this file nothing is kept.
        guard
            let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            let facts = try? FileManager.default.attributesOfItem(atPath: file), let size = facts[.size],
            let changed = facts[.modificationDate] as? Date
        else { return nil }
        return "\(file) \(size) \(changed.timeIntervalSince1970)"
    }()

    /// What a database is made of.
    func origin(of texts: [FixtureFiles.Text]) -> [UInt8] {
        let facts =
            [Version.line, program].map { Array($0.utf8) } + texts.map { $0.bytes ?? Array($0.file.utf8) }
        // Each with its length, so that no two lists are one text.
        return facts.flatMap { Array("\($0.count):".utf8) + $0 }
    }

    /// The database that was kept as made of `origin`; nil when there is none, or it is not what was kept.
    func find(_ origin: [UInt8]) -> DatabaseImage? {
        guard
            var entry = try? BoundedFile.bytes(
                at: path(of: origin), limit: Self.byteLimit, of: "a database", isPlain: true),
            let size = Self.databaseSize(in: entry, of: origin)
        else { return nil }
        entry.removeSubrange(size...)
        return DatabaseImage(bytes: entry)
    }

    /// Bytes of the database in a sound entry made of `origin`; nil for any other.
    private static func databaseSize(in entry: [UInt8], of origin: [UInt8]) -> Int? {
        let size = entry.count - origin.count - lineSize
        guard size > 0, case let content = entry.prefix(size + origin.count),
            content.dropFirst(size) == origin[...], entry.dropFirst(content.count) == line(for: content)[...]
        else { return nil }
        return size
    }

    /// Keeps a database, whole or not at all; a folder that cannot be written is left alone.
    func keep(_ image: DatabaseImage, as origin: [UInt8]) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let content = image.bytes + origin
            try PrivateFile.replace(content + Self.line(for: content[...]), at: path(of: origin), mode: 0o600)
            try removeOldest()
        } catch {
            return
        }
    }

    private static func line(for content: ArraySlice<UInt8>) -> [UInt8] {
        Array((mark + Checksum(content).text + "\n").utf8)
    }

    private func path(of origin: [UInt8]) -> String {
        folder + "/" + Checksum(origin[...]).text + Self.suffix
    }

    private func removeOldest() throws {
        let files = FileManager.default
        let names = try files.contentsOfDirectory(atPath: folder)
        let entries = names.filter { $0.hasSuffix(Self.suffix) }
        // Drafts are of programs that were killed; one that is being written by another program is made again at its next start.
        let drafts = names.filter { $0.contains(Self.suffix + ".") && $0.hasSuffix(PrivateFile.draftSuffix) }
        for draft in drafts { try files.removeItem(atPath: folder + "/" + draft) }
        guard entries.count > Self.entryLimit else { return }
        let dated = try entries.map { entry in
            let facts = try files.attributesOfItem(atPath: folder + "/" + entry)
            return (entry, facts[.modificationDate] as? Date ?? .distantPast)
        }
        for (entry, _) in dated.sorted(by: { $0.1 > $1.1 }).dropFirst(Self.entryLimit) {
            try files.removeItem(atPath: folder + "/" + entry)
        }
    }
}

/// Tells damaged bytes from whole ones: any change within eight bytes is noticed for sure, any other but one in 2⁶⁴. Nobody is kept from
/// making two lists with the same.
///
/// Source: FNV-1a of 64 bits, by Fowler, Noll and Vo, over words of eight bytes instead of bytes.
struct Checksum {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    init(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { bytes in
            let whole = bytes.count & ~7
            for start in stride(from: 0, to: whole, by: 8) {
                add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)))
            }
            for byte in bytes[whole...] { add(UInt64(byte)) }
            add(UInt64(bytes.count))
        }
    }

    private mutating func add(_ word: UInt64) { value = (value ^ word) &* 0x100_0000_01b3 }

    /// Sixteen digits.
    var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
