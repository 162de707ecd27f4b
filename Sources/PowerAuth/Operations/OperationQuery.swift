import Essentials
import PlatformKit
import SQLite

/// Which operations a list shows, newest first.
struct OperationQuery: Sendable {
    var user: String?
    /// At least one of them has to be among the operation's.
    var applications: [String]
    /// The device that asks: it sees what is bound to no device or to it. Nil asks for no device.
    var activation: String?
    /// Of that device: unless it has none, an operation with a flag is shown only when the flag is among them.
    var flags: [String] = []
    var state: Operation.State?
    var externalID: String?
    var page = ListPage(size: 500)

    /// How large a page may be.
    static let sizes = 1...1000
}

extension Operation {
    static func find(_ id: String, in db: Connection) throws -> Operation? {
        try db.first(Operation.self, where: "id = \(id)")
    }

    /// Pending ones of a device's user whose time is not up.
    static func pending(_ query: OperationQuery, at now: Date, in db: Connection) throws -> [Operation] {
        try db.all(
            Operation.self,
            where: """
                user = \(query.user) AND state = 'PENDING' AND expires_at > \(now)
                \(fragment: query.visibility)
                """, order: newestFirst, limit: query.page.size, offset: query.page.offset)
    }

    /// Those in any state, or in the query's as of this moment.
    static func all(_ query: OperationQuery, at now: Date, in db: Connection) throws -> [Operation] {
        try db.all(
            Operation.self,
            where:
                "\(fragment: query.subject) \(fragment: query.visibility) \(fragment: query.condition(at: now))",
            order: newestFirst, limit: query.page.size, offset: query.page.offset)
    }

    private static let newestFirst: SQL = "created_at DESC, position DESC"
}

extension OperationQuery {
    /// A user, a caller's reference, or both.
    fileprivate var subject: SQL {
        switch (user, externalID) {
        case (let user?, let externalID?): "user = \(user) AND external_id = \(externalID)"
        case (nil, let externalID?): "external_id = \(externalID)"
        case (let user, nil): "user = \(user)"
        }
    }

    fileprivate var visibility: SQL {
        """
        AND (\(activation == nil) OR activation IS NULL OR activation = \(activation))
        AND (flag IS NULL OR \(flags.isEmpty) OR flag IN (SELECT value FROM json_each(\(JSONValue(flags).text))))
        AND EXISTS (SELECT 1 FROM json_each(powerauth_operation.applications)
            WHERE value IN (SELECT value FROM json_each(\(JSONValue(applications).text))))
        """
    }

    fileprivate func condition(at now: Date) -> SQL {
        switch state {
        case nil: ""
        case .pending: "AND state = 'PENDING' AND expires_at > \(now)"
        case .expired: "AND (state = 'EXPIRED' OR state = 'PENDING' AND expires_at <= \(now))"
        case let state?: "AND state = \(state.rawValue)"
        }
    }
}
