import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

// What the console does to identities, sessions and projects.
extension MIRACL {
    /// What is done at the console comes from no client.
    private static var consoleRequest: Request { Request(.post, "/") }

    func apply(_ action: IdentityView.Action, _ inputs: [String: String], to hash: String) throws {
        let changed = try database.write { db in
            guard var identity = try identities.find(hash: hash, in: db) else {
                throw RecordRefusal.unknown(hash)
            }
            switch action {
            case .verify: try verify(&identity, in: db)
            case .block: identity.state = .blocked
            case .unblock:
                identity.wrongCount = 0
                identity.state = identity.lastUsedAt == nil ? .issued : .active
            case .renew: identity.needsRenewal = true
            case .revoke: try revoke(identity, Self.consoleRequest, in: db)
            case .delete: try identities.remove(identity.mpinID, in: db)
            }
            if action != .revoke, action != .delete { try identities.update(identity, in: db) }
            return identity
        }
        if action == .revoke { return tellRevocation(of: changed, inputs["reason"]) }
        services.journal.event(
            "identity changed", about: changed.userID,
            "The identity of \(changed.userID) on \"\(changed.deviceName)\" was changed from outside: \(action.rawValue)."
        )
    }

    /// Confirms a registration as its mail would, which is good no more.
    private func verify(_ identity: inout Identity, in db: Connection) throws {
        let waiting = try codes.all([.link, .mail, .custom], of: identity.userID, in: identity.projectID, db)
            .filter { $0.mpinID == identity.mpinID && $0.spentAt == nil }
        for code in waiting { try codes.spend(code, at: now, in: db) }
        (identity.state, identity.origin) = (.verified, waiting.first?.origin ?? .forced)
    }

    func apply(_ action: SessionView.Action, toSession accessID: String) throws {
        try database.write { db in
            guard var session = try sessions.find(accessID, in: db) else {
                throw RecordRefusal.unknown(accessID)
            }
            switch action {
            case .expire: session.expiresAt = now
            case .abort: session.state = .abort
            }
            try sessions.update(session, in: db)
        }
    }

    func apply(_ action: ProjectView.Action, _ inputs: [String: String], toProject id: String) throws {
        if action == .redirect { return try changeRedirectURIs(inputs, ofProject: id) }
        try changeProject(id) { project in
            switch action {
            case .redirect: break
            case .force: project.forceActivation = true
            case .unforce: project.forceActivation = false
            case .configure: project = try ProjectChange.apply(inputs, to: project)
            case .rotate: try rotate(&project)
            }
        }
    }

    /// Replaces the settings of a project.
    func changeProject(_ id: String, _ change: (inout Project) throws -> Void) throws {
        try changeProject(id) { project, _ in try change(&project) }
    }

    private func changeProject(_ id: String, _ change: (inout Project, Connection) throws -> Void) throws {
        try services.memo.changing("miracl.projects") {
            try database.write { db in
                guard var project = try project(id, in: db) else { throw RecordRefusal.unknown(id) }
                try change(&project, db)
                try projectStore.save(project, in: db)
            }
        }
    }

    /// An application is an OpenID Connect client, and both know its redirect URIs.
    private func changeRedirectURIs(_ inputs: [String: String], ofProject id: String) throws {
        guard let clientID = inputs["client_id"] else { throw RecordRefusal.inputMissing("client_id") }
        let uris = (inputs["redirect_uris"] ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
        if uris.isEmpty { throw RecordRefusal.inputMissing("redirect_uris") }
        try changeProject(id) { project, db in
            guard let index = project.applications?.firstIndex(where: { $0.clientID == clientID }) else {
                throw RecordRefusal.inputWrong("The project has no client \"\(clientID.prefix(80))\".")
            }
            project.applications?[index].redirectURIs = uris
            do {
                try AuthorizationServer.change(
                    redirectURIs: uris, of: clientID, server: Self.name, in: db)
            } catch let problem as FixtureProblem {
                throw RecordRefusal.inputWrong("The redirect URIs cannot be taken: \(problem.reason).")
            }
        }
    }

    /// New master shares by chance. The last five pairs before are remembered.
    private func rotate(_ project: inout Project) throws {
        let master = try project.masterSecret()
        let old = Project.Shares(
            first: Hex.encode(master.first.bytes), second: Hex.encode(master.second.bytes))
        project.previousShares = ((project.previousShares ?? []) + [old]).suffix(5)
        project.firstShare = try share()
        project.secondShare = try share()
    }

    private func share() throws -> String {
        Hex.encode(try Scalar.drawn { services.entropy.bytes($0, "miracl.share") }.bytes)
    }
}
