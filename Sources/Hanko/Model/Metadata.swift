import Essentials
import SQLite

/// What back end and app keep with a user. Each kind is a JSON object, or nil.
struct Metadata: Sendable, Equatable {
    /// Characters of JSON that one kind may have.
    static let limit = 3000

    /// Written by the back end, read by everybody.
    var `public`: JSONValue?
    /// The back end's alone.
    var `private`: JSONValue?
    /// Written by the user.
    var unsafe: JSONValue?

    var isEmpty: Bool { `public` == nil && `private` == nil && unsafe == nil }

    /// `target` with `patch` merged into it; nil when nothing is left. Source: RFC 7396 §2.
    static func merged(_ patch: JSONValue, into target: JSONValue?) -> JSONValue? {
        guard let changes = patch.object else { return patch.isNull ? nil : patch }
        var members = target?.object ?? [:]
        for (name, change) in changes { members[name] = merged(change, into: members[name]) }
        return .object(members)
    }
}

extension Metadata: RowDecodable {
    init(row: Row) throws {
        func value(_ column: String) throws -> JSONValue? {
            try row.optionalText(column).map { try JSONValue(parsing: Array($0.utf8)) }
        }
        `public` = try value("public")
        `private` = try value("private")
        unsafe = try value("unsafe")
    }
}
