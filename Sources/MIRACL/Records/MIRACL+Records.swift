import Essentials
package import PlatformKit
import SQLite

/// Identities, access sessions, codes and projects.
extension MIRACL: KeepsRecords {
    package static let recordKinds = [
        RecordKind<MIRACL>(IdentityView.kind) { miracl, limit, db in
            let projects = try Dictionary(miracl.projects.all(in: db).map { ($0.id, $0) }) { first, _ in first
            }
            return try db.all(Identity.self).suffix(limit).reversed().compactMap { identity in
                projects[identity.projectID].map { miracl.shown(identity, of: $0) }
            }
        } find: { miracl, id, db in
            guard let identity = try db.first(Identity.self, where: "hash = \(id)"),
                let project = try miracl.projects.find(identity.projectID, in: db)
            else { return nil }
            return miracl.shown(identity, of: project)
        } act: { miracl, action, id, inputs in
            if let action = IdentityView.Action(rawValue: action) { try miracl.apply(action, inputs, to: id) }
        },
        RecordKind(SessionView.kind) { miracl, limit, db in
            let sessions = try db.all(AccessSession.self).suffix(limit).reversed().filter { $0.hash == nil }
            return try sessions.map { try miracl.shown($0, in: db) }
        } find: { miracl, id, db in
            try AccessSession.find(id, in: db).map { try miracl.shown($0, in: db) }
        } act: { miracl, action, id, _ in
            if let action = SessionView.Action(rawValue: action) { try miracl.apply(action, toSession: id) }
        },
        RecordKind(CodeView.kind) { miracl, limit, db in
            try db.all(OneTimeCode.self).suffix(limit).reversed().map { miracl.shown($0) }
        } find: { miracl, id, db in
            try miracl.code(withRecordID: id, in: db).map { miracl.shown($0) }
        } act: { miracl, _, id, _ in
            try miracl.world.change { turn in
                try miracl.code(withRecordID: id, in: turn.db)?.spend(in: turn)
            }
        },
        RecordKind(ProjectView.kind) { miracl, _, db in
            try miracl.projects.all(in: db).map { ProjectView(project: $0).record }
        } find: { miracl, id, db in
            try miracl.projects.find(id, in: db).map { ProjectView(project: $0).record }
        } act: { miracl, action, id, inputs in
            if let action = ProjectView.Action(rawValue: action) {
                try miracl.apply(action, inputs, toProject: id)
            }
        },
    ]

    private func shown(_ identity: Identity, of project: Project) -> ConsoleRecord {
        IdentityView(identity: identity, project: project, now: now).record
    }

    private func shown(_ session: AccessSession, in db: Connection) throws -> ConsoleRecord {
        let project = try projects.find(session.projectID, in: db)
        return SessionView(session: session, project: project, now: now).record
    }

    private func shown(_ code: OneTimeCode) -> ConsoleRecord { CodeView(code: code, now: now).record }

    /// - Parameter id: kind and text with `-` between.
    func code(withRecordID id: String, in db: Connection) throws -> OneTimeCode? {
        let parts = id.split(separator: "-", maxSplits: 1).map(String.init)
        guard parts.count == 2, let kind = OneTimeCode.Kind(rawValue: parts[0]) else { return nil }
        return try OneTimeCode.find([kind], parts[1], db)
    }
}
