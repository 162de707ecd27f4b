import Essentials
package import HTTP
package import PlatformKit
import SQLite

/// Wultra PowerAuth (Mobile-First Authentication): registrations of mobile devices, authentication codes, MAC tokens, operations and
/// their approval, online and offline; the mobile protocols 3.0 to 3.3 and 4.0, the Mobile Token API, the PowerAuth Cloud API v2 that back
/// ends call and the single-device API before it, the management API v3 and v4 below it, and the push server's API of devices, pushes
/// and the inbox.
///
/// Sources: the vendor's published documentation of PowerAuth, of PowerAuth Cloud and of the Mobile Token, its article “Implement
/// Login in Mobile Apps”, its published test vectors and the public headers and tests of its SDKs.
///
/// Not emulated, of what apps call: digital onboarding. Of what back ends call: passkeys, OAuth 2.0 bearer tokens of system users, internal services of the administration;
/// of version 4 of the management API the extractor of keys, the upgrade and JWTs; campaigns and the administration of the push server;
/// client certificates of callbacks (their creation is refused), and taking up undelivered callbacks after a restart. Passwords of system
/// users are not hashed, so that fixtures can be read. Pushes are recorded and never delivered.
///
/// Different on purpose: nonces of tokens and encrypted requests are remembered once MAC or digest is right, so that strangers
/// cannot fill the memory. `activation/status/update` takes the steps between states and sets no state to which none leads. The
/// newest 10,000 entries are kept of the history of activations, of the audit log and of the events of callbacks each, and the newest
/// 1,000 of the callbacks that were removed. There is no job: the first request after its time ends an operation or a registration, with its callback.
/// Operation data has at most 65,536 bytes. Of a wrong code over more than 32 KiB the journal says only whether the PIN is to blame.
package struct PowerAuth: Platform, TellsExpiries {
    package typealias Fixtures = PowerAuthFixtures

    package static let name = Vendor.name
    package static let title = Vendor.title

    /// What apps call, what back ends call, the server below both, the store of user claims, and the push server.
    package static let mounts = [
        // Wultra's Flutter suite puts a slash between a base address that ends in one and a path that begins with one.
        Mount(
            "enrollment-server",
            mobileRoutes + mobile4Routes + mobileTokenRoutes + onboardingRoutes + nextMobileRoutes,
            mergingSlashes: true),
        Mount("powerauth-cloud", cloudRoutes.map(\.ofJSON), for: .backEnd, mergingSlashes: true),
        Mount(
            "powerauth-java-server",
            (managementRoutes + managementV4Routes + nextManagementRoutes).map(\.ofJSON), for: .backEnd,
            mergingSlashes: true),
        Mount("user-data-store", userDataRoutes, for: .backEnd, mergingSlashes: true),
        Mount("powerauth-push-server", pushServerRoutes.map(\.ofJSON), for: .backEnd, mergingSlashes: true),
    ]

    package static let expiring = [
        Expiring(
            "operation",
            """
            SELECT expires_at AS at, coalesce(user, template) AS about FROM powerauth_operation
            WHERE state = 'PENDING'
            """),
        Expiring(
            "registration",
            """
            SELECT expires_at AS at, user AS about FROM powerauth_activation
            WHERE state IN ('CREATED', 'PENDING_COMMIT')
            """),
    ]

    package let world: World
    let database: Database
    let services: Services

    var activations: Activations { Activations(world) }
    var operations: Operations { Operations(world) }
    var authentication: Authentication { Authentication(world) }
    var encryption: Encryption { Encryption(world) }

    package init(_ world: World) {
        self.world = world
        database = world.database
        services = world.services
    }

    package static func response(for error: any Error) throws -> Response {
        switch error {
        case let refusal as any PowerAuthRefusal: refusal.wire.response
        case let unknown as RouteUnknown: WireError(unknown).response
        case let malformed as RequestMalformed:
            WireError(.badRequest, "ERROR_REQUEST", malformed.reason).response
        default: WireError(.internalServerError, "ERROR_GENERIC", "Unknown error occurred.").response
        }
    }
}
