package import Essentials

/// What becomes of one user of a platform, told as an entry of its fixtures.
package enum UserChange: Sendable {
    /// The entry takes the place of the one before, or is new.
    case replace(JSONValue)
    /// Its members take the place of those of the same name, in objects likewise; null takes one away. Source: RFC 7396.
    case merge(JSONValue)

    /// - Parameter entry: as it is; nil for a user who is not there.
    package func applied(to entry: JSONValue?) -> JSONValue {
        switch self {
        case .replace(let entry): entry
        case .merge(let patch): Self.merged(entry, patch)
        }
    }

    /// Source: RFC 7396 §2.
    private static func merged(_ target: JSONValue?, _ patch: JSONValue) -> JSONValue {
        guard let changes = patch.object else { return patch }
        var members = target?.object ?? [:]
        for (name, value) in changes { members[name] = value.isNull ? nil : merged(members[name], value) }
        return .object(members)
    }
}

/// Why a user was not shown or changed from outside.
package enum UserRefusal: Refusal, Equatable {
    case notKept(platform: String)
    case unknown(String)
    /// The entry is not what it must be: a sentence.
    case invalid(String)
    /// Somebody else has it: a sentence.
    case taken(String)

    package var explanation: String {
        switch self {
        case .notKept(let platform): "The users of \(platform) are not changed one by one."
        case .unknown(let id): "There is no user “\(id.prefix(120))”; PUT creates one."
        case .invalid(let reason), .taken(let reason): reason
        }
    }
}

/// Shows and changes its users one by one, told as entries of its fixtures.
package protocol KeepsUsers: Section {
    /// Somebody who logs in here; nil for one who is not there.
    ///
    /// - Throws: ``UserRefusal``.
    func user(_ id: String) throws -> JSONValue?

    /// Makes, replaces or changes one user.
    ///
    /// - Returns: the entry as it is then, and whether the user is new.
    /// - Throws: ``UserRefusal``.
    func changeUser(_ id: String, _ change: UserChange) throws -> (entry: JSONValue, isNew: Bool)
}
