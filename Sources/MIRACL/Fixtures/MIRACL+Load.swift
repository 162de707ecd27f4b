import Essentials
import OpenID
import PlatformKit
package import SQLite

extension MIRACL {
    package static func load(_ fixtures: MIRACLFixtures, into db: Connection) throws {
        var rules = ProjectRules()
        for (index, project) in (fixtures.projects ?? []).enumerated() {
            try rules.check(project, at: ["projects", String(index)])
            try db.save(KeptProject(project))
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
        var rules = StateRules(projects: projects)
        for list in state { try list.load(fixtures, &rules, db) }
    }

    /// What happened since, as rows and as fixtures.
    static let state: [RecordList<MIRACLFixtures, StateRules>] = [
        RecordList("identities", \.identities) { try $0.check($1, at: $2) },
        RecordList("sessions", \.sessions) { try $0.check($1, at: $2) },
        RecordList("codes", \.codes) { try $0.requireProject($1.projectID, at: $2) },
        // A pass of an id that nobody has, which a project may let begin, is not worth keeping: it leads nowhere.
        RecordList("passes", \.passes, only: ofIdentities) { rules, pass, path in
            try rules.requireIdentity(pass.mpinID, at: path)
            try rules.requireNew(pass.mpinID, "mpin_id", at: path)
        },
        RecordList("proofs", \.proofs, only: ofIdentities) { rules, proof, path in
            try rules.requireIdentity(proof.mpinID, at: path)
            try rules.requireNew(proof.authOTT, "auth_ott", at: path)
        },
        RecordList("tickets", \.tickets, only: ofIdentities) { rules, ticket, path in
            try rules.requireIdentity(ticket.mpinID, at: path)
            try rules.requireNew(ticket.ticket, "ticket", at: path)
        },
        RecordList("audit", \.audit) { try $0.requireProject($1.projectID, at: $2) },
    ]

    private static let ofIdentities: SQL = "mpin_id IN (SELECT mpin_id FROM miracl_identity)"
}
