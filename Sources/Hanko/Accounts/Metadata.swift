import Essentials
import SQLite

/// What back end and app keep with a user. Each kind is a JSON object, or nil.
struct Metadata: Record, Equatable {
    static let table = Table("hanko_metadata", key: "user_id")

    /// Characters of JSON that one kind may have.
    static let limit = 3000

    let userID: String
    /// Written by the back end, read by everybody.
    var `public`: JSONValue?
    /// The back end's alone.
    var `private`: JSONValue?
    /// Written by the user.
    var unsafe: JSONValue?

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case `public`, `private`, unsafe
    }

    var isEmpty: Bool { `public` == nil && `private` == nil && unsafe == nil }

    /// `target` with `patch` merged into it; nil when nothing is left. Source: RFC 7396 §2.
    static func merged(_ patch: JSONValue, into target: JSONValue?) -> JSONValue? {
        guard let changes = patch.object else { return patch.isNull ? nil : patch }
        var members = target?.object ?? [:]
        for (name, change) in changes { members[name] = merged(change, into: members[name]) }
        return .object(members)
    }
}

extension Metadata {
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        userID = try members.owner(.userID)
        `public` = try members.decodeIfPresent(JSONValue.self, forKey: .public)
        `private` = try members.decodeIfPresent(JSONValue.self, forKey: .private)
        unsafe = try members.decodeIfPresent(JSONValue.self, forKey: .unsafe)
    }
}

extension Connection {
    /// Empty for a user without any.
    func metadata(of userID: String) throws -> Metadata {
        try first(Metadata.self, where: "user_id = \(userID)") ?? Metadata(userID: userID)
    }
}
