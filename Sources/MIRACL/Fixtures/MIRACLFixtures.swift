import Essentials
import OpenID

/// The section `miracl` of a fixture file. Projects are what people write; the lists below them are what happened since, so that an
/// export can be loaded again.
package struct MIRACLFixtures: Codable, Sendable {
    /// What the portal keeps: settings, applications, service accounts.
    var projects: [Project]?
    /// What the OpenID provider issued. Its clients are the projects' applications.
    var oauth: OpenIDFixtures?
    var identities: [Identity]?
    var sessions: [AccessSession]?
    var codes: [OneTimeCode]?
    var passes: [PendingPass]?
    var proofs: [ProofVerdict]?
    var tickets: [ShareTicket]?
    /// The audit, oldest first.
    var audit: [AuditEntry]?
}
