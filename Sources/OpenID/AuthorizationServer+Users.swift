package import Essentials
import HTTP
package import PlatformKit
import SQLite

// One user at a time, while the program runs.
extension AuthorizationServer {
    /// The user as an entry of the fixtures; nil for one who is not there.
    package func user(_ subject: String) throws -> JSONValue? {
        try database.read { db in try users.find(subject, in: db) }.map { try UserFixture($0).json }
    }

    /// Makes, replaces or changes a user. Sessions, grants and tokens stay; what tokens say of the user is read anew for the next ones.
    ///
    /// - Returns: the entry as it is then, and whether the user is new.
    /// - Throws: ``UserRefusal``.
    package func changeUser(
        _ subject: String, _ change: UserChange
    ) throws -> (entry: JSONValue, isNew: Bool) {
        try world.change { turn in
            let before = try users.find(subject, in: turn.db)
            if case .merge = change, before == nil { throw UserRefusal.unknown(subject) }
            let entry = change.applied(to: try before.map { try UserFixture($0).json })
            let user = try UserFixture(entry, of: subject).user
            do {
                try before == nil ? users.insert(user, in: turn.db) : users.update(user, in: turn.db)
            } catch let error as SQLiteError where error.isUniqueViolation {
                throw UserRefusal.taken("The user name “\(user.username.prefix(120))” is somebody else's.")
            }
            return (try UserFixture(user).json, before == nil)
        }
    }
}

extension UserFixture {
    fileprivate var json: JSONValue {
        get throws { try JSONValue(parsing: Array(JSONEncoder().encode(self))) }
    }

    /// - Throws: ``UserRefusal/invalid(_:)``.
    fileprivate init(_ entry: JSONValue, of subject: String) throws {
        var members = entry.object ?? [:]
        let known = CodingKeys.allCases.map(\.rawValue)
        if let stranger = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw UserRefusal.invalid(
                "There is no member “\(stranger.prefix(60))” in a user, only \(known.joined(separator: ", "))."
            )
        }
        let named = members[CodingKeys.subject.rawValue]
        guard named == nil || named == .string(subject) else {
            throw UserRefusal.invalid("The member “sub” must be left out, or be the id in the path.")
        }
        members[CodingKeys.subject.rawValue] = .string(subject)
        do {
            self = try JSONDecoder().decode(UserFixture.self, from: Data(JSONValue.object(members).bytes))
        } catch let error as DecodingError {
            throw UserRefusal.invalid("The user is not what it must be: \(error.sentence).")
        }
        if let fault = user.fault { throw UserRefusal.invalid("The id of the user: \(fault).") }
    }
}
