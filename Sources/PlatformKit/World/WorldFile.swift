import Essentials

/// A world's data file, with what SQLite keeps beside it.
struct WorldFile {
    let path: String

    func remove() throws {
        for file in [path, path + "-wal", path + "-shm"] where FileManager.default.fileExists(atPath: file) {
            try FileManager.default.removeItem(atPath: file)
        }
    }
}
