import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `GET /rps/v2/signature/{mpinId}`: the first share, and where the second one is.
    ///
    /// - Request: query `regOTT`, and `publicKey` of 256 hexadecimal digits from a client with a key pair.
    /// - Response: `200 {"clientSecretShare", "cs2url", "curve": "BN254CX", "dtas", "params"}`; with a key pair
    ///   `dvsClientSecretShare` in the place of the first. May be repeated until the first good proof.
    /// - Errors: `401` before the user has confirmed or with a wrong `regOTT`; `404 REGISTRATION_EXPIRED`; `400` for a key that is
    ///   none.
    /// - Source: Milagro MFA SDK core; client-js 4 to 7; trust-sdk-ios.
    func giveFirstShare(_ request: Request) throws -> Response {
        let mpinID = request.parameter("id").lowercased()
        let regOTT = request.queryItems["regOTT"] ?? ""
        let key = try publicKey(request.queryItems["publicKey"])
        let issued = try world.change { turn in
            guard var identity = try Identity.find(mpinID, in: turn.db),
                let project = try project(identity.projectID, in: turn.db)
            else { throw RegistrationRefusal.identityUnknown(mpinID) }
            if let refusal = identity.refusalOfShares(regOTT: regOTT, at: turn.now) { throw refusal }
            identity.state = .issued
            identity.dtas = try project.dtas()
            identity.publicKey = key
            try turn.update(identity)
            let ticket = try makeTicket(.second, for: identity, in: project, turn)
            try note("registration", "secret_issued", of: identity, request, in: turn)
            return Issued(identity: identity, project: project, ticket: ticket)
        }
        return .answer(try shares(of: issued.identity, in: issued.project, issued.ticket, request))
    }

    private struct Issued: Sendable {
        let identity: Identity
        let project: Project
        let ticket: ShareTicket
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

    /// - Parameter hex: of the query or a body; nil and empty for none.
    /// - Returns: in lower case.
    func publicKey(_ hex: String?) throws(RegistrationRefusal) -> String? {
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
