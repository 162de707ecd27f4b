package import Essentials
package import PlatformKit
package import SQLite

/// An OAuth 2.0 authorization server and OpenID provider, per the standards and without any vendor: a platform mounts it, says
/// what is its own (``ServerProfile``, ``ServerExtension``), and lists ``routes(of:profile:)`` among its routes.
///
/// Sources: RFC 6749, 6750, 7009, 7521, 7523, 7591, 7592, 7636, 7662, 8252, 8414, 8628, 8693, 8707, 9068, 9101, 9126, 9207, 9449, 9700; OpenID
/// Connect Core, Discovery, Dynamic Registration, RP-Initiated Logout, Front-Channel Logout, Back-Channel Logout and Session
/// Management, all 1.0; OAuth 2.0 Multiple Response Types and Form Post Response Mode.
///
/// Not emulated: hybrid flow (`unsupported_response_type`), request objects by reference (RFC 9101, `request_uri_not_supported`),
/// mutual TLS (RFC 8705), CIBA, pairwise subjects, encrypted ID tokens and userinfo, signed metadata, software statements,
/// self-issued providers (`registration_not_supported`), rich authorization requests (RFC 9396,
/// `invalid_authorization_details`), encrypted request objects, refresh tokens whose lifetime is
/// told to the client. `display`, `ui_locales` and `claims_locales` are accepted and change nothing: pages are in English. Claims
/// are normal ones, neither aggregated nor distributed.
///
/// Request objects by value (RFC 9101) and DPoP (RFC 9449) are there where the fixtures switch them on, as are the rules of FAPI 2.0 (Security
/// Profile, Message Signing without JARM): ``ServerSettings``, ``SecurityProfile``.
///
/// A value is made for each request: references, no state.
package struct AuthorizationServer: Sendable {
    /// What ends by itself at the server of the platform `server`.
    package static func expiring(at server: String) -> [Expiring] {
        [
            Expiring(
                "authorization code",
                """
                SELECT expires_at AS at, client_id AS about FROM openid_code
                WHERE server = \(server) AND spent_at IS NULL
                """),
            Expiring(
                "access token",
                """
                SELECT expires_at AS at, coalesce(sub, client_id) AS about FROM openid_access_token
                WHERE server = \(server) AND ended IS NULL
                """),
            Expiring(
                "refresh token",
                """
                SELECT expires_at AS at,
                    coalesce((SELECT sub FROM openid_grant WHERE id = grant_id), client_id) AS about
                FROM openid_refresh_token WHERE server = \(server) AND spent_at IS NULL AND ended IS NULL
                """),
            Expiring(
                "login session",
                "SELECT expires_at AS at, sub AS about FROM openid_session WHERE server = \(server)"),
            Expiring(
                "pushed request",
                """
                SELECT expires_at AS at, client_id AS about FROM openid_pushed_request
                WHERE server = \(server)
                """),
            Expiring(
                "device request",
                """
                SELECT expires_at AS at, client_id AS about FROM openid_device_request
                WHERE server = \(server) AND state = 'pending'
                """),
        ]
    }

    /// The tables that a platform which mounts this server needs: among its ``Platform/foundations``.
    package static let schema = OpenIDSchema.schema

    package let profile: ServerProfile
    package let world: World
    package let database: Database
    package var services: Services
    let policy: any ServerExtension

    package init(_ profile: ServerProfile, _ policy: any ServerExtension = PlainExtension(), world: World) {
        self.profile = profile
        self.policy = policy
        self.world = world
        database = world.database
        services = world.services
    }

    package var clients: ServerRecords<Client> { ServerRecords(server: profile.name) }
    package var users: ServerRecords<User> { ServerRecords(server: profile.name) }
    package var scopes: ServerRecords<Scope> { ServerRecords(server: profile.name) }
    package var grants: ServerRecords<Grant> { ServerRecords(server: profile.name) }
    package var codes: ServerRecords<AuthorizationCode> { ServerRecords(server: profile.name) }
    package var accessTokens: ServerRecords<AccessToken> { ServerRecords(server: profile.name) }
    package var refreshTokens: ServerRecords<RefreshToken> { ServerRecords(server: profile.name) }
    package var sessions: ServerRecords<BrowserSession> { ServerRecords(server: profile.name) }
    package var consents: ServerRecords<Consent> { ServerRecords(server: profile.name) }
    package var pushedRequests: ServerRecords<PushedRequest> { ServerRecords(server: profile.name) }
    package var deviceRequests: ServerRecords<DeviceRequest> { ServerRecords(server: profile.name) }
    var assertions: ServerRecords<UsedAssertion> { ServerRecords(server: profile.name) }
    var interactions: ServerRecords<Interaction> { ServerRecords(server: profile.name) }
    var wrongUserCodes: ServerRecords<WrongUserCode> { ServerRecords(server: profile.name) }

    /// The world's time.
    package var now: Date { services.clock.now() }

    /// A new UUID for a purpose such as `grant`.
    package func uuid(for purpose: String) -> String {
        services.entropy.uuid(for: "\(profile.name).\(purpose)")
    }

    /// Random bytes for a purpose such as `code`.
    package func bytes(_ count: Int, for purpose: String) -> [UInt8] {
        services.entropy.bytes(count, "\(profile.name).\(purpose)")
    }
}
