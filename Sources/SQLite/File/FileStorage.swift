import CSQLite

/// A database in a file, with a connection of its own that is opened when it is needed.
final class FileStorage: Storage {
    private let path: String
    private let kept: KeptReads
    private var connection: Connection?
    private let files: OpenFiles
    private let seat = OpenFiles.Seat()

    init(_ path: String, kept: KeptReads, files: OpenFiles) {
        self.path = path
        self.kept = kept
        self.files = files
    }

    /// To be called once the storage has its gate.
    func sit(behind gate: Gate) { seat.gate = gate }

    func withConnection<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        try body(opened())
    }

    func image() throws -> DatabaseImage { try opened().image() }

    func restore(_ image: DatabaseImage) throws {
        let db = try opened()
        try image.withConnection { source in try db.overwrite(with: source) }
    }

    func size() throws -> Int {
        let (count, size) = ("PRAGMA page_count" as SQL, "PRAGMA page_size" as SQL)
        let db = try opened()
        return try (db.value(Int.self, count) ?? 0) * (db.value(Int.self, size) ?? 0)
    }

    /// Another file needs the place.
    func close() {
        connection = nil
        // Another program may change the file now.
        kept.forget()
    }

    private func opened() throws -> Connection {
        files.use(seat, isOpen: connection != nil)
        if let connection { return connection }
        let opened = try Connection(file: path)
        opened.kept = kept
        connection = opened
        return opened
    }
}
