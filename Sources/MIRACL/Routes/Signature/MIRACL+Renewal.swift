import Essentials
import HTTP
import PlatformKit
import SQLite

// Renewal: an identity gets secrets of the master shares of now, in the answer to a good proof.
extension MIRACL {
    /// What `authenticate` answers instead of everything else when the identity has to be renewed: the client fetches its new
    /// secrets and proves itself again.
    ///
    /// Without a key pair new shares of the same identity (`renewSecret`), with one a token (`dvsRegister`) for `dvsregister` or
    /// `registration`. The flag is gone before the client hears of it, or it would renew for ever.
    ///
    /// - Returns: the members to be added to `status` and `message`; nil for an identity that is up to date.
    /// - Source: client-js 6 to 8.
    func renewal(
        of identity: Identity, in project: Project, _ request: Request, in db: Connection
    ) throws -> [String: JSONValue]? {
        guard try identity.needsRenewal || project.hasReplaced(identity.dtas) else { return nil }
        var renewed = identity
        renewed.needsRenewal = false
        // A client with a key pair keeps its secrets until it comes with the token.
        if identity.publicKey == nil { renewed.dtas = try project.dtas() }
        try identities.update(renewed, in: db)
        services.journal.event(
            "identity renewed", about: identity.userID,
            "The answer to this proof brings new secrets, since the project's master shares were replaced or a renewal was "
                + "asked for; the client proves itself again with them.")
        guard identity.publicKey == nil else {
            let token = try makeRegisterToken(for: renewed, in: project, origin: .renewal, in: db)
            return ["dvsRegister": ["token": .string(token), "curve": .string(BN254CX.name)]]
        }
        let ticket = try makeTicket(.second, for: renewed, in: project, db)
        return ["renewSecret": .object(try shares(of: renewed, in: project, ticket, request))]
    }

    /// The token of `dvsRegister`, with which an identity without a key pair registers one that signs: scope `dvs-reg`.
    func makeSigningToken(
        for identity: Identity, in project: Project, in db: Connection
    ) throws -> String {
        try makeRegisterToken(for: identity, in: project, origin: nil, in: db)
    }

    private func makeRegisterToken(
        for identity: Identity, in project: Project, origin: Identity.Origin?, in db: Connection
    ) throws -> String {
        let token = token(for: "dvs_register")
        try codes.tidy(at: now, in: db)
        try codes.insert(
            OneTimeCode(
                kind: .dvsRegister, text: token, projectID: project.id, userID: identity.userID,
                mpinID: identity.mpinID, origin: origin, deviceName: identity.deviceName, createdAt: now,
                expiresAt: time(in: project.activationSeconds)),
            in: db)
        return token
    }
}

extension Project {
    /// Whether these were its master shares once, and are not now.
    fileprivate func hasReplaced(_ dtas: String) throws -> Bool {
        guard previousShares?.isEmpty == false, try self.dtas() != dtas else { return false }
        return true
    }
}
