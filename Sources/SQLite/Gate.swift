import CSQLite
import Synchronization

/// The lock of one database: a plain one of the system, which goes to whoever runs when it is free.
///
/// A `Mutex` goes to the thread that waits longest. That one sleeps, and while it wakes up the next one queues behind it: under
/// load every access then costs a change of threads, as much processor time as the access itself.
///
/// `@unchecked Sendable`: the storage is reached inside ``enter(_:)`` and ``enterIfFree(_:)`` alone, while this thread holds the
/// lock, and never leaves them.
final class Gate: @unchecked Sendable {
    private let storage: any Storage
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    /// The thread that is inside, 0 when none is.
    private let holder = Atomic<UInt>(0)

    init(_ storage: any Storage) throws {
        guard let lock = csqlite_lock_make() else {
            throw SQLiteError(code: SQLITE_NOMEM, message: "out of memory", statement: "lock")
        }
        self.lock = lock
        self.storage = storage
    }

    deinit { csqlite_lock_free(lock) }

    /// Waits until nobody is inside, and runs `body`.
    func enter<Value: Sendable>(_ body: (any Storage) throws -> Value) rethrows -> Value {
        let thread = UInt(csqlite_current_thread())
        precondition(
            holder.load(ordering: .relaxed) != thread,
            "a database closure used its own database; use the connection that the closure was given")
        let isTaken = pthread_mutex_lock(lock) == 0
        precondition(isTaken, "the lock of a database is broken")
        defer { pthread_mutex_unlock(lock) }
        holder.store(thread, ordering: .relaxed)
        defer { holder.store(0, ordering: .relaxed) }
        return try body(storage)
    }

    /// Runs `body` when nobody is inside.
    func enterIfFree(_ body: (any Storage) -> Void) {
        guard pthread_mutex_trylock(lock) == 0 else { return }
        defer { pthread_mutex_unlock(lock) }
        body(storage)
    }
}

/// Where a database is kept. Used by one thread at a time, under its ``Gate``.
protocol Storage: AnyObject {
    /// Runs `body` with a connection that is in this database.
    func withConnection<Value>(_ body: (Connection) throws -> Value) throws -> Value
    /// The whole content.
    func image() throws -> DatabaseImage
    /// Replaces the whole content, whole or not at all.
    func restore(_ image: DatabaseImage) throws
    /// Bytes that it takes up beside what it shares with others.
    func size() throws -> Int
}
