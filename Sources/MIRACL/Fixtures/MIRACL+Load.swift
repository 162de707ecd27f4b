import Essentials
import OpenID
import PlatformKit
package import SQLite

extension MIRACL {
    package static func load(_ fixtures: MIRACLFixtures, into db: Connection) throws {
        var rules = ProjectRules()
        try each(fixtures.projects, "projects") { project, path in
            try rules.check(project, at: path)
            try ProjectStore().save(project, in: db)
        }
        try loadProvider(fixtures, into: db)
        try loadState(fixtures, projects: rules.projectIDs, into: db)
    }

    private static func loadProvider(_ fixtures: MIRACLFixtures, into db: Connection) throws {
        var oauth = fixtures.oauth ?? OpenIDFixtures()
        if oauth.clients?.isEmpty == false {
            throw FixtureProblem(
                at: ["oauth", "clients"], "the clients of this platform are the applications of its projects")
        }
        oauth.clients = try (fixtures.projects ?? []).flatMap {
            try ($0.applications ?? []).map { try $0.client() }
        }
        try AuthorizationServer.load(oauth, server: name, into: db)
    }

    private static func loadState(
        _ fixtures: MIRACLFixtures, projects: Set<String>, into db: Connection
    ) throws {
        var state = StateRules(projects: projects)
        try each(fixtures.identities, "identities") { identity, path in
            try state.check(identity, at: path)
            try IdentityStore().insert(identity, in: db)
        }
        try each(fixtures.sessions, "sessions") { session, path in
            try state.check(session, at: path)
            try SessionStore().insert(session, in: db)
        }
        try each(fixtures.codes, "codes") { code, path in
            try state.requireProject(code.projectID, at: path)
            try CodeStore().insert(code, in: db)
        }
        try each(fixtures.passes, "passes") { pass, path in
            try state.requireIdentity(pass.mpinID, at: path)
            try ProofStore().save(pass, in: db)
        }
        try each(fixtures.proofs, "proofs") { proof, path in
            try state.requireIdentity(proof.mpinID, at: path)
            try state.requireNew(proof.authOTT, "auth_ott", at: path)
            try ProofStore().insert(proof, in: db)
        }
        try each(fixtures.tickets, "tickets") { ticket, path in
            try state.requireIdentity(ticket.mpinID, at: path)
            try state.requireNew(ticket.ticket, "ticket", at: path)
            try ProofStore().insert(ticket, in: db)
        }
        try each(fixtures.audit, "audit") { entry, path in
            try state.requireProject(entry.projectID, at: path)
            try AuditStore().insert(entry, in: db)
        }
    }

    /// Calls `body` with each entry and its path in the file.
    private static func each<Entry>(
        _ entries: [Entry]?, _ name: String, _ body: (Entry, [String]) throws -> Void
    ) rethrows {
        for (index, entry) in (entries ?? []).enumerated() { try body(entry, [name, String(index)]) }
    }
}
