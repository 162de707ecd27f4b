import Essentials
import PlatformKit
import SQLite

/// Which activations of a user a list shows, newest first.
struct ActivationQuery: Sendable {
    var user: String
    /// Of any when nil, as what follows.
    var applications: [String]?
    /// Words that are no state fit none.
    var states: [String]?
    /// Those that have all of them.
    var flags: [String] = []
    var isUsedFrom = Date.distantPast
    var isUsedBefore = Date.distantFuture
    /// All when nil.
    var page: ListPage?
}

extension ActivationQuery {
    /// The same of another user.
    func of(_ user: String) -> ActivationQuery {
        var query = self
        query.user = user
        return query
    }

    fileprivate var condition: SQL {
        """
        user = \(user) AND last_used_at >= \(isUsedFrom) AND last_used_at < \(isUsedBefore)
        AND (\(applications == nil) OR application IN (SELECT value FROM json_each(\(Self.json(applications)))))
        AND (\(states == nil) OR state IN (SELECT value FROM json_each(\(Self.json(states)))))
        AND NOT EXISTS (SELECT 1 FROM json_each(\(Self.json(flags))) AS wanted
            WHERE wanted.value NOT IN (SELECT value FROM json_each(powerauth_activation.flags)))
        """
    }

    private static func json(_ words: [String]?) -> String { JSONValue(words ?? []).text }
}

extension Activations {
    /// As of this moment: those of the user whose time is over are stored as removed before, and told.
    func all(_ query: ActivationQuery, in turn: Turn) throws -> [Activation] {
        let overdue = try turn.all(
            Activation.self,
            where: """
                user = \(query.user) AND state IN ('CREATED', 'PENDING_COMMIT') AND expires_at <= \(turn.now)
                """, order: Self.newestFirst)
        for activation in overdue { _ = try current(activation, in: turn) }
        return try turn.all(
            Activation.self, where: query.condition, order: Self.newestFirst, limit: query.page?.size,
            offset: query.page?.offset ?? 0)
    }

    private static let newestFirst: SQL = "created_at DESC, position DESC"
}
