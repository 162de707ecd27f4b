import Essentials
package import HTTP
import OpenID
package import PlatformKit
package import SQLite

/// MIRACL MFA and MIRACL Trust: users prove by M-Pin that they know a PIN, which never leaves the phone and which the server does not
/// know; for relying parties an OpenID provider.
///
/// Three generations of clients are served side by side, under the same paths: the classic one of the open Milagro SDKs (time
/// permits, `mpinResponse`, access numbers), MIRACL MFA (client settings, `cs2url`, scopes, identities without a key pair) and
/// MIRACL Trust (fixed paths, error codes, every identity with a key pair, JWTs).
///
/// Sources: the open M-Pin core and servers of Apache Milagro; the vendor's published client libraries for JavaScript (4 to 8),
/// Android and iOS with their integration tests; its libraries for back ends (Go, .NET, Python); its public documentation of OpenID
/// Connect, the back end API, custom user verification, and signatures.
///
/// Both trust authorities live here, so a proof of an identity without a key pair is verified by point arithmetic instead of a
/// pairing, and the journal can say how far off a wrong PIN is. That tells the PIN to whoever knows it nearly: for development only.
///
/// Not emulated: the vendor's portal (projects and applications are fixtures), delivery of pushes (they end in the outbox), the
/// country of an address in the audit, `verificationRedirectUrl` of a confirmation, login pages in Romanian and French.
package struct MIRACL: Platform, AllowsOrigins, TellsExpiries, ShowsPages {
    package typealias Fixtures = MIRACLFixtures

    package static let name = Vendor.name
    package static let title = Vendor.title

    package static let mounts = [Mount(name, routes)]

    static let routes: [Route<MIRACL>] =
        settingsRoutes + registrationRoutes + proofRoutes + sessionRoutes + verificationRoutes
        + signatureRoutes + classicRoutes + managementRoutes
        + AuthorizationServer.routes(of: { $0.server }, profile: profile)

    package static let pages = [
        PageLink("MIRACL: one-time passwords that are good now", "/otpgen?client_id=miracl-app")
    ]

    package static let foundations = [AuthorizationServer.schema]

    package static let migrations: [SQL] = MIRACLSchema.migrations

    package static let records: [any Record.Type] = [
        AuditEntry.self, Identity.self, KeptProject.self, PendingPass.self, ProofVerdict.self,
        ShareTicket.self, AccessSession.self, OneTimeCode.self,
    ]

    package static let expiring =
        [
            Expiring(
                "session",
                """
                SELECT expires_at AS at, coalesce(user_id, access_number) AS about FROM miracl_session
                WHERE state NOT IN ('authenticated', 'signed', 'abort')
                """),
            Expiring(
                "verification code",
                "SELECT expires_at AS at, user_id AS about FROM miracl_code WHERE spent_at IS NULL"),
            Expiring(
                "registration",
                """
                SELECT registration_expires_at AS at, user_id AS about FROM miracl_identity
                WHERE state IN ('pending', 'verified', 'issued')
                """),
        ] + AuthorizationServer.expiring(at: name)

    package let world: World
    let server: AuthorizationServer

    package init(_ world: World) {
        self.world = world
        server = AuthorizationServer(Self.profile, IdentityExtension(), world: world)
    }

    var now: Date { services.clock.now() }

    var projects: Projects { Projects(world) }
    var registrations: Registrations { Registrations(server) }
    var shares: Shares { Shares(world) }
    var verifications: Verifications { Verifications(world) }
    var sessions: Sessions { Sessions(server) }
    var proofs: Proofs { Proofs(server) }
    var signatures: Signatures { Signatures(world) }
    var certificates: Certificates { Certificates(world) }

    /// Web pages of every origin are clients, and none has a cookie here. What only the developer reads is for none of them.
    package func crossOriginPolicy(for _: Request) throws -> CrossOriginPolicy {
        CrossOriginPolicy(
            allowedOrigins: ["*"], allowsCredentials: false, allowedMethods: "GET,POST,PUT,DELETE,OPTIONS",
            exemptPaths: ["/api/v1/search", "/api/v1/message/*", "/otpgen"])
    }
}

extension MIRACL {
    package static func response(for error: any Error) throws -> Response {
        if let response = try AuthorizationServer.response(for: error) { return response }
        switch error {
        case let refusal as any MIRACLRefusal: return refusal.page?.response ?? refusal.wire.response
        case let unknown as RouteUnknown:
            var wire = MIRACLWire(unknown.status, "NOT_FOUND", unknown.status.reason)
            if let allow = unknown.allow {
                wire.code = "METHOD_NOT_ALLOWED"
                wire.headers = [("Allow", allow)]
            }
            return wire.response
        case is RequestMalformed:
            return MIRACLWire(.badRequest, "INVALID_REQUEST_PARAMETERS", "The request is malformed").response
        default:
            return MIRACLWire(.internalServerError, "INTERNAL_SERVER_ERROR", "Internal error").response
        }
    }

    /// The code is the status in words, as `INTERNAL_SERVER_ERROR` and `UNAUTHORIZED` are. *Assumed* for others.
    package static func errorResponse(_ status: Status) throws -> Response {
        MIRACLWire(status, status.reason.uppercased().replacing(" ", with: "_"), status.reason).response
    }
}
