import Essentials
import PlatformKit
import SQLite

/// What happened to an activation once.
struct HistoryEntry: Record, Equatable {
    static let limit = 10_000
    static let table = Table("powerauth_activation_history", key: "position", limit: limit)

    let activation: String
    let state: Activation.State
    /// Reason of a block, or what changed besides the state.
    var reason: String?
    /// Who of the back end did it.
    var externalUser: String?
    /// The activation's name then.
    var name: String?
    let at: Date

    enum CodingKeys: String, CodingKey {
        case activation, state, reason, name, at
        case externalUser = "external_user"
    }
}

extension HistoryEntry {
    /// With its number, which grows with every entry of the world.
    struct Numbered: RowDecodable {
        let number: Int
        let entry: HistoryEntry

        init(row: Row) throws { (number, entry) = (try row.integer("position"), try HistoryEntry(row: row)) }
    }

    /// Oldest first.
    static func all(
        of activation: String, from: Date = .distantPast, to: Date = .distantFuture, in db: Connection
    ) throws -> [Numbered] {
        try db.all(
            Numbered.self,
            """
            SELECT * FROM powerauth_activation_history
            WHERE activation = \(activation) AND at >= \(from) AND at <= \(to) ORDER BY position
            """)
    }
}

extension Turn {
    /// Notes what became of an activation.
    func remember(
        _ activation: Activation, reason: String? = nil, by externalUser: String? = nil
    ) throws {
        try insert(
            HistoryEntry(
                activation: activation.id, state: activation.state, reason: reason,
                externalUser: externalUser, name: activation.name, at: now))
    }
}
