import OpenID
import PlatformKit
package import SQLite

extension MIRACL {
    package static func export(from db: Connection) throws -> MIRACLFixtures {
        var oauth = try AuthorizationServer.export(server: name, from: db)
        oauth.clients = nil
        let identities = try IdentityStore().all(in: db)
        // A pass of an id that nobody has, which a project may let begin, is not worth keeping: it leads nowhere.
        let known = Set(identities.map(\.mpinID))
        let proofs = ProofStore()
        return MIRACLFixtures(
            projects: try ProjectStore().all(in: db), oauth: oauth, identities: identities.listed,
            sessions: try SessionStore().all(in: db).listed, codes: try CodeStore().all(in: db).listed,
            passes: try proofs.passes(in: db).filter { known.contains($0.mpinID) }.listed,
            proofs: try proofs.verdicts(in: db).filter { known.contains($0.mpinID) }.listed,
            tickets: try proofs.tickets(in: db).filter { known.contains($0.mpinID) }.listed,
            audit: try AuditStore().all(in: db).listed)
    }
}
