import Crypto
import Essentials
import OpenID
import PlatformKit
package import SQLite

extension MIRACL {
    package static func load(_ fixtures: MIRACLFixtures, into db: Connection) throws {
        var rules = FixtureRules()
        for (index, project) in (fixtures.projects ?? []).enumerated() {
            try project.check(&rules, at: ["projects", String(index)])
            try db.save(KeptProject(project))
        }
        try loadProvider(fixtures, into: db)
        try state.load(fixtures, &rules, into: db)
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

    /// What happened since, as rows and as fixtures.
    static let state: [RecordList<MIRACLFixtures, FixtureRules>] = [
        RecordList("identities", \.identities) { rules, identity, path in
            try rules.requireProject(identity.projectID, at: path)
            try rules.add(identity.mpinID, to: "identity", at: path + ["mpin_id"])
            try identity.check(at: path)
        },
        RecordList("sessions", \.sessions) { rules, session, path in
            try rules.requireProject(session.projectID, at: path)
            try rules.add(session.accessID, to: "session", at: path + ["access_id"])
            try rules.add(session.webOTT, to: "webOTT", at: path + ["web_ott"])
        },
        RecordList("codes", \.codes) { try $0.requireProject($1.projectID, at: $2) },
        // A pass of an id that nobody has, which a project may let begin, is not worth keeping: it leads nowhere.
        RecordList("passes", \.passes, only: ofIdentities) { rules, pass, path in
            try rules.requireIdentity(pass.mpinID, at: path)
            try rules.add(pass.mpinID, to: "pass", at: path + ["mpin_id"])
        },
        RecordList("proofs", \.proofs, only: ofIdentities) { rules, proof, path in
            try rules.requireIdentity(proof.mpinID, at: path)
            try rules.add(proof.authOTT, to: "proof", at: path + ["auth_ott"])
        },
        RecordList("tickets", \.tickets, only: ofIdentities) { rules, ticket, path in
            try rules.requireIdentity(ticket.mpinID, at: path)
            try rules.add(ticket.ticket, to: "ticket", at: path + ["ticket"])
        },
        RecordList("audit", \.audit) { try $0.requireProject($1.projectID, at: $2) },
    ]

    private static let ofIdentities: SQL = "mpin_id IN (SELECT mpin_id FROM miracl_identity)"
}

extension FixtureRules {
    fileprivate func requireProject(_ id: String, at path: [String]) throws {
        try require(id, "project", at: path + ["project_id"])
    }

    fileprivate func requireIdentity(_ mpinID: String, at path: [String]) throws {
        try require(mpinID, "identity", at: path + ["mpin_id"])
    }
}

extension Identity {
    fileprivate func check(at path: [String]) throws {
        guard let bytes = Hex.decode(mpinID), !bytes.isEmpty, mpinID == Hex.encode(bytes) else {
            throw FixtureProblem(
                at: path + ["mpin_id"], "expected the M-Pin id as hexadecimal digits in lower case")
        }
        do {
            _ = try point()
        } catch {
            throw FixtureProblem(at: path + ["public_key"], error.explanation)
        }
    }
}
