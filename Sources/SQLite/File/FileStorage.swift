import CSQLite
import Essentials
import Synchronization

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

/// Which databases have their files open. Beyond a limit, the file that was not used for longest is closed; it is opened again
/// when somebody asks.
final class OpenFiles: Sendable {
    static let shared = OpenFiles(limit: 64)

    /// One storage's place in the list.
    ///
    /// `@unchecked Sendable`: `gate` is set once, before anybody else knows the seat; the rest is used under the list's lock.
    final class Seat: @unchecked Sendable {
        weak var gate: Gate?
        fileprivate var lastUse = 0
    }

    private struct State {
        var open: [ObjectIdentifier: Seat] = [:]
        var uses = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// A storage is about to be used.
    ///
    /// - Parameter isOpen: false when it opens its file now.
    func use(_ seat: Seat, isOpen: Bool) {
        let idle: [Seat] = state.withLock { state in
            state.uses.increment()
            seat.lastUse = state.uses
            if isOpen { return [] }
            state.open = state.open.filter { $0.value.gate != nil }
            state.open[ObjectIdentifier(seat)] = seat
            guard state.open.count > limit else { return [] }
            return state.open.values.filter { $0 !== seat }.sorted { $0.lastUse < $1.lastUse }
        }
        for seat in idle where state.withLock({ $0.open.count }) > limit {
            // Whoever is inside goes on.
            seat.gate?.enterIfFree { storage in
                (storage as? FileStorage)?.close()
                state.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(seat)) }
            }
        }
    }
}
