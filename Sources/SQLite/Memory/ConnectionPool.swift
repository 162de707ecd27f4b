import Synchronization

/// Connections to databases in memory. Whoever needs one takes any that is free, or a new one; so nobody ever waits here.
final class ConnectionPool: Sendable {
    /// The one of all worlds.
    static let shared = ConnectionPool(keeping: 8)

    private let members = Mutex<[PooledConnection]>([])
    private let keptCount: Int

    /// - Parameter count: so many connections stay open when nobody uses them: as many as threads that compute at once, at best.
    init(keeping count: Int) { keptCount = count }

    /// A connection for the caller alone: `last` if that is free, else one that knows the tables, else a new one.
    ///
    /// - Parameter schema: the number of the tables, see ``SchemaNumbers``.
    func borrow(preferring last: PooledConnection?, schema: UInt32) throws -> PooledConnection {
        if let last, last.take() { return last }
        let found = members.withLock { members in
            let isFull = members.count >= keptCount
            return Self.take(from: members, schema: schema, orAny: isFull)
        }
        if let found { return found }
        let opened = PooledConnection(try Connection())
        members.withLock { $0.append(opened) }
        return opened
    }

    func giveBack(_ connection: PooledConnection) {
        guard connection.isSurplus || isOverfull else { return connection.release() }
        members.withLock { $0.removeAll { $0 === connection } }
        connection.close()
    }

    private var isOverfull: Bool { members.withLock { $0.count } > keptCount }

    private static func take(
        from members: [PooledConnection], schema: UInt32, orAny: Bool
    ) -> PooledConnection? {
        var other: PooledConnection?
        for member in members where member.take() {
            if member.schema == schema {
                other?.release()
                return member
            }
            if orAny, other == nil { other = member } else { member.release() }
        }
        return other
    }
}

/// One of a pool.
///
/// `@unchecked Sendable`: the connection is touched only by the thread that has taken this.
final class PooledConnection: @unchecked Sendable {
    private var connection: Connection?
    private let isTaken = Atomic<Bool>(true)

    /// Taken by the caller.
    init(_ connection: Connection) { self.connection = connection }

    /// False when somebody else has it, or it was closed.
    func take() -> Bool {
        isTaken.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    }

    func release() { isTaken.store(false, ordering: .releasing) }

    /// It stays taken for ever.
    func close() { connection = nil }

    /// The tables that it has read last.
    var schema: UInt32 { connection?.stage?.schema ?? 0 }

    /// Whether it is not to be used for any other database: its tables were changed.
    var isSurplus: Bool { connection?.stage?.hasNewSchema ?? true }

    func use<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        // It is there until it is closed, and nobody takes it after that.
        guard let connection else { throw ConnectionClosed() }
        return try body(connection)
    }
}

struct ConnectionClosed: Error {}
