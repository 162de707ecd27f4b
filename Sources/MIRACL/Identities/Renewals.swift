import Essentials
import HTTP
import PlatformKit
import SQLite

/// An identity gets secrets of the master shares of now, in the answer to a good proof.
struct Renewals: Sendable {
    let world: World

    init(_ world: World) { self.world = world }

    private var shares: Shares { Shares(world) }

    /// What `authenticate` answers instead of everything else when the identity has to be renewed: the client fetches its new
    /// secrets and proves itself again.
    ///
    /// Without a key pair new shares of the same identity (`renewSecret`), with one a token (`dvsRegister`) for `dvsregister` or
    /// `registration`. The old secrets stay good until the first good proof with the new ones, so that nothing is lost with an answer
    /// that does not arrive. A renewal that was asked for is told once, or a client would renew for ever.
    ///
    /// - Returns: the members to be added to `status` and `message`; nil for an identity that is up to date.
    /// - Source: client-js 6 to 8; client-js 4.4 for `mpin_id`.
    func renewal(
        of identity: Identity, in project: Project, _ request: Request, in turn: Turn
    ) throws -> [String: JSONValue]? {
        guard try needsRenewal(identity, in: project) else { return nil }
        var renewed = identity
        renewed.needsRenewal = false
        // A client with a key pair says with the token which key it has from now on.
        if identity.publicKey == nil {
            renewed.offer(Secrets(publicKey: nil, dtas: try project.dtas()))
        }
        try turn.update(renewed)
        turn.note(
            "renewal offered", about: identity.userID,
            (try project.hasReplaced(identity.dtas)
                ? "This proof was made with secrets of the previous master shares"
                : "A renewal of this identity was asked for")
                + ", so its answer brings new secrets and nothing else. The client proves itself again with them; until then the old "
                + "ones stay good.")
        guard identity.publicKey == nil else {
            let token = try makeRegisterToken(for: renewed, in: project, origin: .renewal, in: turn)
            return ["dvsRegister": ["token": .string(token), "curve": .string(BN254CX.name)]]
        }
        let ticket = try shares.makeTicket(.second, for: renewed, in: project, turn)
        var answer = try shares.shares(of: renewed.offered, in: project, ticket, request)
        answer["mpin_id"] = .string(identity.mpinID)
        return ["renewSecret": .object(answer)]
    }

    /// Whether its next good proof is answered with new secrets.
    func needsRenewal(_ identity: Identity, in project: Project) throws -> Bool {
        try identity.needsRenewal || project.hasReplaced(identity.dtas)
    }

    /// Ends an identity whose place another one takes.
    func end(_ mpinID: String, for successor: Identity, in turn: Turn) throws {
        guard var old = try Identity.find(mpinID, in: turn.db) else { return }
        old.end(for: successor.mpinID, at: turn.now)
        try turn.update(old)
    }

    /// The token of `dvsRegister`, with which an identity without a key pair registers one that signs: scope `dvs-reg`.
    func makeSigningToken(for identity: Identity, in project: Project, in turn: Turn) throws -> String {
        try makeRegisterToken(for: identity, in: project, origin: nil, in: turn)
    }

    private func makeRegisterToken(
        for identity: Identity, in project: Project, origin: Identity.Origin?, in turn: Turn
    ) throws -> String {
        let token = world.token(for: "dvs_register")
        try turn.insert(
            OneTimeCode(
                kind: .dvsRegister, text: token, projectID: project.id, userID: identity.userID,
                mpinID: identity.mpinID, origin: origin, deviceName: identity.deviceName, createdAt: turn.now,
                expiresAt: world.time(in: project.activationSeconds)))
        return token
    }
}

extension Project {
    /// Whether these were its master shares once, and are not now.
    func hasReplaced(_ dtas: String) throws -> Bool {
        guard previousShares?.isEmpty == false, try self.dtas() != dtas else { return false }
        return true
    }
}
