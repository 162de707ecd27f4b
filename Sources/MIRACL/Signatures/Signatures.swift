import Essentials
import HTTP
import PlatformKit
import SQLite

/// Whether a document was signed by the identity that it names.
struct Signatures: Sendable {
    let world: World

    init(_ world: World) { self.world = world }

    private var now: Date { world.now }
    private var projects: Projects { Projects(world) }

    /// Seconds that a signature's time may be ahead of this world's clock. Source: ours, the original's is not known.
    private static let leewaySeconds = 60

    /// Verifies everything that the signature claims; what it costs is paid outside of the world.database.
    ///
    /// - Parameters:
    ///   - timestamp: seconds since 1970.
    ///   - project: of who asks.
    /// - Returns: who signed.
    /// - Throws: ``SignatureRefusal``.
    func signer(of signature: DocumentSignature, at timestamp: Int, for project: Project) throws -> Identity {
        guard let seconds = UInt32(exactly: timestamp) else {
            throw SignatureRefusal.timestampMalformed(timestamp)
        }
        let ahead = timestamp - now.unixSeconds
        guard ahead <= Self.leewaySeconds else { throw SignatureRefusal.timestampAhead(seconds: ahead) }
        guard let identity = try world.database.read({ db in try Identity.find(signature.mpinID, in: db) })
        else {
            throw SignatureRefusal.identityUnknown(signature.mpinID)
        }
        if let refusal = refusal(of: identity, at: timestamp, for: project) { throw refusal }
        let candidates = try candidates(identity, signature, at: timestamp)
        return try verify(signature, at: seconds, by: candidates, in: project)
    }

    /// - Parameter candidates: the identity with each of the secrets that the signature may be made with.
    private func verify(
        _ signature: DocumentSignature, at seconds: UInt32, by candidates: [Identity], in project: Project
    ) throws -> Identity {
        var fault = "The identity's secrets are of master shares that the project does not have."
        for identity in candidates {
            guard let master = try projects.masterSecret(of: identity, in: project) else { continue }
            let point = try identity.point()
            if master.verifies(signature.proof(of: point, timestamp: seconds)) { return identity }
            fault = cause(of: signature, point, seconds, master)
        }
        throw SignatureRefusal.wrong(fault)
    }

    /// The identity as it is, and as it was when a signature was made before its last renewal.
    private func candidates(
        _ identity: Identity, _ signature: DocumentSignature, at timestamp: Int
    ) throws(SignatureRefusal) -> [Identity] {
        var all = [identity]
        if let old = identity.renewal?.replaced, let end = identity.renewal?.replacedAt {
            if timestamp <= end.unixSeconds {
                all.insert(identity.with(old), at: 0)
            } else if old.publicKey != identity.publicKey, old.publicKey == signature.publicKey {
                throw .publicKeyReplaced(at: end)
            }
        }
        let fitting = all.filter { $0.publicKey != nil && $0.publicKey == signature.publicKey }
        if fitting.isEmpty {
            throw identity.publicKey == nil
                ? .identityWithoutKey : .publicKeyOther(isSent: signature.publicKey != nil)
        }
        return fitting
    }

    private func refusal(
        of identity: Identity, at timestamp: Int, for project: Project
    ) -> SignatureRefusal? {
        if identity.projectID != project.id {
            return .identityForeign(identity.projectID, own: project.id)
        }
        switch identity.state {
        case .pending, .verified: return .identityWithoutSecrets(identity.state)
        case .blocked: return .identityOver(identity.state)
        case .revoked:
            // One that ended at its renewal did so for what comes after.
            guard identity.renewal?.successor != nil, let end = identity.renewal?.replacedAt,
                timestamp <= end.unixSeconds
            else { return .identityOver(identity.state) }
        case .issued, .active: break
        }
        if let at = identity.expiresAt, at <= now { return .identityExpired(at) }
        return nil
    }

    /// Tries the mistakes that are easily made.
    private func cause(
        of signature: DocumentSignature, _ identity: MPinIdentity, _ timestamp: UInt32, _ master: MasterSecret
    ) -> String {
        let asText = signature.proof(
            of: identity, timestamp: timestamp, message: Array(signature.hash.utf8))
        if master.verifies(asText) {
            return
                "The signature is right for the hash as text: sign the bytes that its hexadecimal digits stand for."
        }
        if let own = signature.timestamp.flatMap({ UInt32(exactly: $0) }), own != timestamp,
            master.verifies(signature.proof(of: identity, timestamp: own))
        {
            return
                "The signature is right for its own timestamp \(own), and was sent to be verified with \(timestamp)."
        }
        return
            "The signature is not right for this hash at \(timestamp): the PIN is wrong, the document is another one, or the "
            + "timestamp is not the one that the app signed with."
    }
}
