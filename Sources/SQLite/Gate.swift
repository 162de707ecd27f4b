import CSQLite

/// The lock of one connection: a plain one of the system, which goes to whoever runs when it is free.
///
/// A `Mutex` goes to the thread that waits longest. That one sleeps, and while it wakes up the next one queues behind it: under
/// load every access then costs a change of threads, as much processor time as the access itself.
///
/// `@unchecked Sendable`: the connection is reached inside ``withLock(_:)`` alone, while this thread holds the lock, and never
/// leaves it.
final class Gate: @unchecked Sendable {
    private let connection: Connection
    private let lock: UnsafeMutablePointer<pthread_mutex_t>

    init(_ connection: Connection) throws {
        guard let lock = csqlite_lock_make() else {
            throw SQLiteError(code: SQLITE_NOMEM, message: "out of memory", statement: "lock")
        }
        self.lock = lock
        self.connection = connection
    }

    deinit { csqlite_lock_free(lock) }

    func withLock<Value: Sendable>(_ body: (Connection) throws -> Value) rethrows -> Value {
        let isTaken = pthread_mutex_lock(lock) == 0
        precondition(isTaken, "the lock of a database is broken")
        defer { pthread_mutex_unlock(lock) }
        return try body(connection)
    }
}
