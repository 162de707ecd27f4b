import Essentials

/// The folder of `--data`.
enum DataFolder {
    /// Bytes that are written and removed again: as much as a request writes, generously.
    private static let probe = 65_536

    /// - Throws: ``Failure`` for what is there and no folder.
    static func check(_ path: String) throws {
        let kind = try? FileManager.default.attributesOfItem(atPath: path + "/.")[.type] as? FileAttributeType
        let isThere = FileManager.default.fileExists(atPath: path)
        if isThere, kind != .typeDirectory {
            throw Failure(
                "--data \(path): this is a file; name a folder, which is created if it does not exist")
        }
    }

    /// Why nothing can be written there now: a sentence; nil when it can.
    static func fault(_ path: String) -> String? {
        let file = path + "/.understudy-probe"
        do {
            try Data(repeating: 0, count: probe).write(to: URL(filePath: file))
            try FileManager.default.removeItem(atPath: file)
            return nil
        } catch {
            // What is left of it may be in the way of others.
            try? FileManager.default.removeItem(atPath: file)
            return
                "The worlds in \(path) cannot be written: \(error.sentence). What was acknowledged is kept; fix the folder, and work continues."
        }
    }
}
