import Crypto
import Essentials
import PlatformKit
import SQLite

/// Databases made of fixture files, kept in the user's cache folder: making one anew is most of a start.
///
/// An entry is found by what it was made of: the content of all files, this version of the program, its executable, the schema. It is
/// checked before it is used; what is damaged or of another program is none. Nothing here keeps a program from starting.
///
/// In an entry: a line that names the form, the SHA-256 of the database, the database.
struct FixtureCache: Sendable {
    /// As many databases are kept, those that were made last.
    static let entryLimit = 16
    private static let mark = Array("understudy fixtures 1\n".utf8)
    private static let suffix = ".world"

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

    /// Names what is made of these files.
    func key(of texts: [FixtureFiles.Text]) -> String {
        var facts: [[UInt8]] = [Array(Version.line.utf8), Array(program.utf8)]
        for platform in Platforms.all {
            let steps = platform.foundations.flatMap(\.steps) + platform.migrations
            facts += [Array(platform.name.utf8)] + steps.map { Array($0.description.utf8) }
        }
        facts += texts.map { $0.bytes ?? Array(FixtureFiles.builtInName.utf8) }
        // Each with its length, so that no two lists are one text.
        let whole = facts.flatMap { Array("\($0.count):".utf8) + $0 }
        return Hex.encode(Digest.sha256(whole))
    }

    /// The database that was kept under `key`; nil when there is none, or it is not what was kept.
    func find(_ key: String) -> DatabaseImage? {
        guard let file = try? Data(contentsOf: URL(filePath: path(of: key))), file.starts(with: Self.mark)
        else { return nil }
        let rest = [UInt8](file.dropFirst(Self.mark.count))
        let content = Array(rest.dropFirst(Digest.sha256.count))
        guard !content.isEmpty, Digest.sha256(content) == Array(rest.prefix(Digest.sha256.count)) else {
            return nil
        }
        return DatabaseImage(bytes: content)
    }

    /// Keeps a database, whole or not at all; a folder that cannot be written is left alone.
    func keep(_ image: DatabaseImage, as key: String) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let file = Self.mark + Digest.sha256(image.bytes) + image.bytes
            // Written beside it and renamed.
            try Data(file).write(to: URL(filePath: path(of: key)), options: .atomic)
            try removeOldest()
        } catch {
            return
        }
    }

    private func path(of key: String) -> String { folder + "/" + key + Self.suffix }

    private func removeOldest() throws {
        let files = FileManager.default
        let entries = try files.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(Self.suffix) }
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
