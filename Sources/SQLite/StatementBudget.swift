import Synchronization

/// How many prepared statements a connection keeps. Each costs some 4 KiB: few worlds keep all that they use, a
/// thousand keep those of the moment.
enum StatementBudget {
    private static let openConnections = Atomic<Int>(0)
    private static let statementsInAll = 4096

    static var statementsPerConnection: Int {
        min(max(statementsInAll / max(openConnections.load(ordering: .relaxed), 1), 8), 32)
    }

    static func connectionOpened() { openConnections.add(1, ordering: .relaxed) }
    static func connectionClosed() { openConnections.subtract(1, ordering: .relaxed) }
}
