import Essentials

/// The folder that keeps worlds, one data file each.
struct WorldFolder: Sendable {
    let path: String

    private static let suffix = ".sqlite"

    /// Where the world `name` is kept, or would be.
    func file(of name: String) -> WorldFile { WorldFile(path: "\(path)/\(name)\(Self.suffix)") }

    /// Where the snapshots of the world `name` are kept.
    func snapshots(of name: String) -> String { "\(path)/snapshots/\(name)" }

    /// The worlds that the folder holds, which is made when it is missing.
    func names() throws -> [String] {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { $0.hasSuffix(Self.suffix) && !isFolder(path + "/" + $0) }
            .map { String($0.dropLast(Self.suffix.count)) }
            .filter { WorldName.isOne($0) }
    }

    /// A folder is nobody's world: deleting the world would delete what is in it.
    private func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }
}

extension FileManager {
    /// Whether the path, or what a link there leads to, is a file with content of its own: reading a pipe would wait for a writer.
    func isPlainFile(_ path: String) -> Bool {
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        do {
            return try attributesOfItem(atPath: target)[.type] as? FileAttributeType == .typeRegular
        } catch {
            return false
        }
    }
}

/// A world's data file, with what SQLite keeps beside it.
struct WorldFile {
    let path: String

    /// Of the file itself and those beside it. A journal that stayed would be rolled back into the next database of that name.
    ///
    /// Source: sqlite.org, “Temporary Files Used By SQLite”, §2.1 to §2.3.
    private static let suffixes = ["", "-journal", "-wal", "-shm"]

    func remove() throws {
        for suffix in Self.suffixes {
            do {
                try FileManager.default.removeItem(atPath: path + suffix)
            } catch let error as CocoaError where error.code == .fileNoSuchFile {
                continue
            }
        }
    }
}
