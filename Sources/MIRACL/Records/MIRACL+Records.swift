import Essentials
package import PlatformKit
import SQLite

extension MIRACL {
    /// How many of each kind the list has, the newest.
    private static let shown = 500

    /// Identities, access sessions, codes and projects.
    package func records() throws -> [ConsoleRecord] {
        let now = now
        let found = try database.read { db in
            let projects = try projects.all(in: db)
            let byID = Dictionary(projects.map { ($0.id, $0) }) { first, _ in first }
            let views = try db.all(Identity.self).suffix(Self.shown).reversed().compactMap { identity in
                byID[identity.projectID].map { IdentityView(identity: identity, project: $0, now: now) }
            }
            let sessions = try db.all(AccessSession.self).suffix(Self.shown).reversed().filter {
                $0.hash == nil
            }
            let codes = try db.all(OneTimeCode.self).suffix(Self.shown).reversed()
            return views.map(\.record)
                + sessions.map { SessionView(session: $0, project: byID[$0.projectID], now: now).record }
                + codes.map { CodeView(code: $0, now: now).record }
                + projects.map { ProjectView(project: $0).record }
        }
        // Stable: what is of the same time keeps the order of the kinds.
        return found.enumerated().sorted {
            ($1.element.createdAt, $0.offset) < ($0.element.createdAt, $1.offset)
        }.map(\.element)
    }

    package func record(_ id: String) throws -> ConsoleRecord? {
        let now = now
        return try database.read { db in
            if let identity = try db.first(Identity.self, where: "hash = \(id)"),
                let project = try projects.find(identity.projectID, in: db)
            {
                return IdentityView(identity: identity, project: project, now: now).record
            }
            if let session = try AccessSession.find(id, in: db) {
                let project = try projects.find(session.projectID, in: db)
                return SessionView(session: session, project: project, now: now).record
            }
            if let code = try code(withRecordID: id, in: db) { return CodeView(code: code, now: now).record }
            return try projects.find(id, in: db).map { ProjectView(project: $0).record }
        }
    }

    /// - Parameter id: kind and text with `-` between.
    func code(withRecordID id: String, in db: Connection) throws -> OneTimeCode? {
        let parts = id.split(separator: "-", maxSplits: 1).map(String.init)
        guard parts.count == 2, let kind = OneTimeCode.Kind(rawValue: parts[0]) else { return nil }
        return try OneTimeCode.find([kind], parts[1], db)
    }

    package func perform(_ action: String, onRecord id: String, _ inputs: [String: String]) throws {
        guard let record = try record(id) else { throw RecordRefusal.unknown(id) }
        guard record.actions.contains(where: { $0.name == action }) else {
            throw RecordRefusal.actionUnknown(action, known: record.actions.map(\.name))
        }
        switch record.kind {
        case IdentityView.kind:
            if let action = IdentityView.Action(rawValue: action) { try apply(action, inputs, to: id) }
        case SessionView.kind:
            if let action = SessionView.Action(rawValue: action) { try apply(action, toSession: id) }
        case CodeView.kind:
            try world.change { turn in try code(withRecordID: id, in: turn.db)?.spend(in: turn) }
        default:
            if let action = ProjectView.Action(rawValue: action) { try apply(action, inputs, toProject: id) }
        }
    }
}
