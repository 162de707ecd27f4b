import OpenID
import PlatformKit
package import SQLite

extension MIRACL {
    package static func export(from db: Connection) throws -> MIRACLFixtures {
        var oauth = try AuthorizationServer.export(server: name, from: db)
        oauth.clients = nil
        return MIRACLFixtures(
            projects: try ProjectStore().all(in: db), oauth: oauth,
            identities: try IdentityStore().all(in: db).listed,
            sessions: try SessionStore().all(in: db).listed,
            codes: try CodeStore().all(in: db).listed, passes: try ProofStore().passes(in: db).listed,
            proofs: try ProofStore().verdicts(in: db).listed,
            tickets: try ProofStore().tickets(in: db).listed, audit: try AuditStore().all(in: db).listed)
    }
}
