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
        try world.change { turn in
            guard var identity = try turn.first(Identity.self, where: "hash = \(hash)") else {
                throw RecordRefusal.unknown(hash)
            }
            switch action {
            case .verify: try verify(&identity, in: turn)
            case .block: identity.state = .blocked
            case .unblock:
                identity.wrongCount = 0
                identity.state = identity.lastUsedAt == nil ? .issued : .active
            case .renew: identity.needsRenewal = true
            case .revoke: return try identity.revoke(Self.consoleRequest, inputs["reason"], in: turn)
            case .delete: try Identity.remove(identity.mpinID, in: turn.db)
            }
            if action != .delete { try turn.update(identity) }
            turn.note(
                "identity changed", about: identity.userID,
                "The identity of \(identity.userID) on “\(identity.deviceName)” was changed from outside: \(action.rawValue)."
            )
        }
    }

    /// Confirms a registration as its mail would, which is good no more.
    private func verify(_ identity: inout Identity, in turn: Turn) throws {
        let waiting = try OneTimeCode.all(
            [.link, .mail, .custom], of: identity.userID, in: identity.projectID, turn.db
        )
        .filter { $0.mpinID == identity.mpinID && $0.spentAt == nil }
        for code in waiting { try code.spend(in: turn) }
        (identity.state, identity.origin) = (.verified, waiting.first?.origin ?? .forced)
    }

    func apply(_ action: SessionView.Action, toSession accessID: String) throws {
        try world.change { turn in
            guard var session = try AccessSession.find(accessID, in: turn.db) else {
                throw RecordRefusal.unknown(accessID)
            }
            switch action {
            case .expire: session.expiresAt = turn.now
            case .abort: session.state = .abort
            }
            try turn.update(session)
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
        try world.change { turn in
            guard var project = try projects.find(id, in: turn.db) else { throw RecordRefusal.unknown(id) }
            try change(&project, turn.db)
            try turn.save(KeptProject(project))
            turn.forget("miracl.projects")
        }
    }

    /// An application is an OpenID Connect client, and both know its redirect URIs.
    private func changeRedirectURIs(_ inputs: [String: String], ofProject id: String) throws {
        guard let clientID = inputs["client_id"] else { throw RecordRefusal.inputMissing("client_id") }
        let uris = (inputs["redirect_uris"] ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
        if uris.isEmpty { throw RecordRefusal.inputMissing("redirect_uris") }
        try changeProject(id) { project, db in
            guard let index = project.applications?.firstIndex(where: { $0.clientID == clientID }) else {
                throw RecordRefusal.inputWrong("The project has no client “\(clientID.prefix(80))”.")
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
