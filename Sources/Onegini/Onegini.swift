package import Essentials
package import HTTP
import OpenID
package import PlatformKit
package import SQLite

/// Onegini Token Server (OneWelcome Access): OAuth and OpenID Connect, mobile authentication with OTP and QR code, push and SMS, the
/// management APIs, and a device protocol of our own in the place of the vendor's closed one.
///
/// Sources: the vendor's published documentation of the Token Server (mobile authentication API v4, v3 and v2; end-user, config,
/// admin, events and introspection APIs; topic guides), its SDKs' public headers and error lists.
///
/// The wire format between the vendor's SDK and its server is closed. `/oauth/sdk/v1` is an open rendering of the published
/// message sequence; everything below that path is ours.
///
/// Not emulated, at the token server: payload encryption (the setting has no effect without the vendor's proxy, and its policy API
/// is not there), SAML (`external_idp`, `onegini_saml_error`), encrypted ID tokens, insights API.
/// DPoP (RFC 9449) and request objects (RFC 9101) are none of the product's; the settings of the fixtures switch them on.
/// `refresh_user_details` is accepted and changes nothing: details are read anew each time. `idp`, `app_view` and `language` are
/// accepted and change nothing. Authentication levels of scopes are kept and never ask for another login.
///
/// Called, before a code or tokens are made and with everything still unspent: the scope verification service that
/// `scope_verification` of the fixtures names, for new grants of users; then the client's web hook of the type `CUSTOMIZE_TOKEN`,
/// also at a refresh. What is *assumed* there: a user's browser goes to the `verification_failed_endpoint`, others hear
/// `access_denied` or at the token endpoint `invalid_scope`; a service that fails makes `server_error`; `external_identity` is the
/// user name; the authentication method `JWT` is a bearer token of ours for `base_uri`; an opaque token's claims are told by the
/// introspection. Web hooks of the types `DABP` and `USER_DETAILS_CUSTOMIZATION` are stored and not called, and the journal says so.
///
/// Ours, for developers: clients of the kind `lenient`, which the journal marks; on the login page Cancel, users who are made up, and claims
/// that are typed; a client for which the pages play another provider; an issuer that the fixtures name, see ``ServerSettings``.
///
/// A use of a token whose scope has a usage limit is an introspection, counted with its answer (*assumed*); used up, a token is not
/// active any more. Who checks a JWT by its signature alone is not counted.
///
/// Not emulated, in mobile authentication: geolocation (texts use a table in the fixtures); delivery by push and SMS services (both
/// end in the outbox). API v1, which knows no credentials, answers where `deprecated_api_enabled` says so; *assumed* are its
/// refusal elsewhere and the paths and members that its pages have in common with v2. The scripts of custom registration are answers
/// in the fixtures instead. A `user_code` has a dash in its middle, as RFC 8628 shows it.
package struct Onegini: Platform, TellsExpiries {
    package typealias Fixtures = OneginiFixtures

    package static let name = Vendor.name
    package static let title = Vendor.title

    /// The config and admin APIs are documented both with and without the prefix `/oauth`.
    package static let mounts = [Mount("oauth", routes), Mount("api", configurationRoutes, for: .backEnd)]

    static let routes: [Route<Onegini>] =
        AuthorizationServer.routes(of: { $0.server }, profile: .onegini).map(\.audited)
        + mobileAuthenticationRoutes + deviceRoutes + managementRoutes.map { $0.for(.backEnd) }
        + configurationRoutes.map { Route($0.method, "/api" + $0.pattern, $0.handler).for(.backEnd) }

    package static let foundations = [AuthorizationServer.schema]

    package static let migrations: [SQL] =
        [
            KeptApplication.migrations, PendingRegistration.migrations, CustomTransaction.migrations,
            Device.migrations, Profile.migrations, Tombstone.migrations, RemovedProfile.migrations,
            AppLink.migrations, Enrollment.migrations, PendingEnrollment.migrations,
            MobileTransaction.migrations, CallbackRecord.migrations, Event.migrations,
            ConfigurationEntry.migrations,
        ].flatMap { $0 }

    package static let records: [any Record.Type] = [
        KeptApplication.self, PendingRegistration.self, CustomTransaction.self, Device.self,
        Profile.self, Tombstone.self, RemovedProfile.self, AppLink.self, Enrollment.self,
        PendingEnrollment.self, MobileTransaction.self, CallbackRecord.self, Event.self,
        ConfigurationEntry.self,
    ]

    package static let expiring =
        [
            Expiring(
                "transaction",
                """
                SELECT expires_at AS at, coalesce(subject, message) AS about FROM onegini_transaction
                WHERE ended_at IS NULL
                """),
            Expiring(
                "device registration",
                "SELECT expires_at AS at, application AS about FROM onegini_registration"),
            Expiring(
                "enrolment", "SELECT expires_at AS at, profile_id AS about FROM onegini_pending_enrollment"),
            Expiring("app link", "SELECT expires_at AS at, sub AS about FROM onegini_app_link"),
        ] + AuthorizationServer.expiring(at: name)

    let server: AuthorizationServer
    package let world: World

    var registry: DeviceRegistry { DeviceRegistry(world) }
    var audit: AuditLog { AuditLog(world) }
    var access: APIAccess { APIAccess(server) }
    var authentication: DeviceAuthentication { DeviceAuthentication(server) }
    var registration: DeviceRegistration { DeviceRegistration(registry) }
    var enrollments: Enrollments { Enrollments(authentication) }
    var pins: ConveniencePINs { ConveniencePINs(registry) }
    var customRegistrations: CustomRegistrations { CustomRegistrations(server) }
    var portal: Portal { Portal(access, registry) }
    var handling: TransactionHandling { TransactionHandling(authentication, registry) }

    package init(_ world: World) {
        self.world = world
        server = AuthorizationServer(
            .onegini, MobileExtension(registry: DeviceRegistry(world)), world: world)
    }

    package static func response(for error: any Error) throws -> Response {
        if let response = try AuthorizationServer.response(for: error) { return response }
        switch error {
        case let unknown as RouteUnknown:
            let told = ["Nothing answers at this path", hint(for: unknown)].compactMap(\.self)
            let wire =
                unknown.allow == nil
                ? OAuthWire(unknown.status, "not_found", told.joined(separator: ". "))
                : OAuthWire(unknown.status, "invalid_request", "The path does not answer this method")
            var response = wire.response
            response.headers["Allow"] = unknown.allow
            return response
        case is RequestMalformed: return OAuthWire(.badRequest, "invalid_request").response
        default: return OAuthWire(.internalServerError, "server_error").response
        }
    }

    package static func errorResponse(_ status: Status) throws -> Response {
        AuthorizationServer.errorResponse(status)
    }
}

// What its authorization server can do, it can do.

extension Onegini: KeepsUsers {
    package func user(_ id: String) throws -> JSONValue? { try server.user(id) }

    package func changeUser(_ id: String, _ change: UserChange) throws -> (entry: JSONValue, isNew: Bool) {
        try server.changeUser(id, change)
    }
}

extension Onegini: MintsTokens {
    package static let tokenKinds =
        AuthorizationServer.tokenKinds("/oauth/v1/userinfo") + [AuthorizationServer.logoutTokenKind]

    package func mint(_ order: MintRequest) throws -> MintedToken { try server.mint(order) }
}

extension Onegini: AllowsOrigins {
    package func crossOriginPolicy(for _: Request) throws -> CrossOriginPolicy {
        try server.crossOriginPolicy()
    }
}

extension Onegini: AnswersAliases, ExplainsLostPaths {
    package static let rootAliases = ServerProfile.onegini.rootAliases(below: "/oauth")

    package static func answersAliases(in world: World) throws -> Bool {
        try AuthorizationServer(.onegini, world: world).answersRootPaths()
    }

    package static func hint(for unknown: RouteUnknown) -> String? {
        ServerProfile.onegini.hint(for: unknown, below: "/oauth")
    }
}

extension Onegini: NamesCallers {
    package func callers(in request: Request) throws -> RequestNames { try server.callers(in: request) }
}
