import Synchronization

/// What was read from a database and is asked for all the time, kept until somebody changes it.
///
/// Values come in while the database is locked, and go while it is locked for the write that makes them wrong. So whoever finds a
/// value here could have read the same from the database at that moment.
final class KeptReads: Sendable {
    /// More would be a sign of rows that are made without end; then reading them again is the lesser evil.
    private static let limit = 1_000

    private let values = Mutex<[String: any Sendable]>([:])

    subscript(_ name: String) -> (any Sendable)? { values.withLock { $0[name] } }

    func keep(_ value: any Sendable, as name: String) {
        values.withLock { values in
            if values.count >= Self.limit { values.removeAll() }
            values[name] = value
        }
    }

    func forget() { values.withLock { $0.removeAll() } }
}
