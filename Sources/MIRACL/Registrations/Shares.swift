import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

/// The shares of a client's secret, each at a URL that nobody can guess.
struct Shares: Sendable {
    let world: World

    init(_ world: World) { self.world = world }

    private var projects: Projects { Projects(world) }

    /// Hands the secrets out of a registration that its user has confirmed.
    ///
    /// - Throws: ``RegistrationRefusal``.
    func issue(
        _ mpinID: String, regOTT: String, _ key: String?, _ request: Request
    ) throws -> [String: JSONValue] {
        let issued = try world.change { turn in
            guard var identity = try Identity.find(mpinID, in: turn.db),
                let project = try projects.find(identity.projectID, in: turn.db)
            else { throw RegistrationRefusal.identityUnknown(mpinID) }
            if let refusal = identity.refusalOfShares(regOTT: regOTT, at: turn.now) { throw refusal }
            identity.state = .issued
            identity.dtas = try project.dtas()
            identity.publicKey = key
            try turn.update(identity)
            let ticket = try makeTicket(.second, for: identity, in: project, turn)
            try turn.audit("registration", "secret_issued", of: identity, request)
            return (identity: identity, project: project, ticket: ticket)
        }
        return try shares(of: issued.identity, in: issued.project, issued.ticket, request)
    }

    /// What the first share travels in; also a renewal does.
    func shares(
        of identity: Identity, in project: Project, _ ticket: ShareTicket, _ request: Request
    ) throws -> [String: JSONValue] {
        let share = try project.masterSecret().clientSecret(.first, for: identity.point()).hex
        return [
            identity.publicKey == nil ? "clientSecretShare" : "dvsClientSecretShare": .string(share),
            "cs2url": .string(url(of: ticket, request)), "curve": .string(BN254CX.name),
            "dtas": .string(identity.dtas),
            "params": .string("ticket=\(ticket.ticket)&hash_mpin_id=\(identity.hashMPinID)"),
        ]
    }

    func find(_ text: String) throws -> (ticket: ShareTicket, identity: Identity)? {
        try world.database.read { db in
            guard let ticket = try db.first(ShareTicket.self, where: "ticket = \(text)"),
                let identity = try Identity.find(ticket.mpinID, in: db)
            else { return nil }
            return (ticket, identity)
        }
    }

    func secret(_ found: (ticket: ShareTicket, identity: Identity)) throws -> Response {
        guard let project = try projects.find(found.identity.projectID) else {
            throw RegistrationRefusal.ticketUnknown
        }
        let share = try project.masterSecret().clientSecret(
            found.ticket.share == 1 ? .first : .second, for: found.identity.offered.point()
        ).hex
        return .answer([
            "clientSecret": .string(share), "dvsClientSecret": .string(share),
            "createdAt": .integer(world.now.unixSeconds), "message": "OK", "version": "0.4",
        ])
    }

    /// A URL for a share.
    func makeTicket(
        _ share: MasterSecret.Share, for identity: Identity, in project: Project, _ turn: Turn
    ) throws -> ShareTicket {
        let ticket = ShareTicket(
            ticket: world.token(for: "ticket"), mpinID: identity.mpinID, share: share == .first ? 1 : 2,
            expiresAt: world.time(in: project.ticketSeconds))
        try turn.insert(ticket)
        return ticket
    }

    func url(of ticket: ShareTicket, _ request: Request) -> String {
        request.baseURL + "/rps/v2/secret/" + ticket.ticket
    }

    /// - Parameter hex: of the query or a body; nil and empty for none.
    /// - Returns: in lower case.
    static func publicKey(_ hex: String?) throws(RegistrationRefusal) -> String? {
        guard let hex, !hex.isEmpty else { return nil }
        do {
            _ = try G2Point(hex: hex)
        } catch {
            throw .publicKey(error)
        }
        return hex.lowercased()
    }
}

extension Identity {
    /// Why it gets no shares now; nil when it does.
    fileprivate func refusalOfShares(regOTT: String, at now: Date) -> RegistrationRefusal? {
        guard self.regOTT.isSame(as: regOTT) else { return .regOTTWrong(isRestart: false) }
        switch state {
        case .active, .blocked, .revoked: return .registrationOver(state)
        case .pending, .verified, .issued:
            if registrationExpiresAt <= now { return .registrationExpired(registrationExpiresAt) }
            return state == .pending ? .notVerified(userID: userID) : nil
        }
    }
}
