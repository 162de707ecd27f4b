import Essentials
import HTTP
import SQLite

// Whether a document was signed by the identity that it names.
extension MIRACL {
    /// Seconds that a signature's time may be ahead of this world's clock. Source: ours, the original's is not known.
    private static let leewaySeconds = 60

    /// Verifies everything that the signature claims; what it costs is paid outside of the database.
    ///
    /// - Parameters:
    ///   - timestamp: seconds since 1970.
    ///   - project: of who asks.
    /// - Returns: who signed, or why not.
    func signer(
        of signature: DocumentSignature, at timestamp: Int, for project: Project
    ) throws -> Result<Identity, SignatureRefusal> {
        guard let seconds = UInt32(exactly: timestamp) else {
            return .failure(.timestampMalformed(timestamp))
        }
        let ahead = timestamp - now.unixSeconds
        guard ahead <= Self.leewaySeconds else { return .failure(.timestampAhead(seconds: ahead)) }
        guard let identity = try database.read({ db in try identities.find(signature.mpinID, in: db) }) else {
            return .failure(.identityUnknown(signature.mpinID))
        }
        if let refusal = refusal(of: identity, signature, for: project) { return .failure(refusal) }
        guard let master = try masterSecret(of: identity, in: project) else {
            return .failure(
                .wrong("The identity's secrets are of master shares that the project does not have."))
        }
        let point = try identity.point()
        if master.verifies(signature.proof(of: point, timestamp: seconds)) { return .success(identity) }
        return .failure(.wrong(cause(of: signature, point, seconds, master)))
    }

    private func refusal(
        of identity: Identity, _ signature: DocumentSignature, for project: Project
    ) -> SignatureRefusal? {
        if identity.projectID != project.id {
            return .identityForeign(identity.projectID, own: project.id)
        }
        switch identity.state {
        case .pending, .verified: return .identityWithoutSecrets(identity.state)
        case .blocked, .revoked: return .identityOver(identity.state)
        case .issued, .active: break
        }
        if let at = identity.expiresAt, at <= now { return .identityExpired(at) }
        if identity.publicKey == nil { return .identityWithoutKey }
        guard identity.publicKey == signature.publicKey else {
            return .publicKeyOther(isSent: signature.publicKey != nil)
        }
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
