import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit

/// A platform that is nothing but an authorization server, at `/oauth`.
struct MountedServer: Platform, AllowsOrigins {
    static let name = "mounted"
    static let title = "Mounted Server"
    static let profile = ServerProfile(name: name, title: title, paths: EndpointPaths())
    static let migrations: [SQL] = []
    static let foundations = [AuthorizationServer.schema]
    static let mounts = [Mount<MountedServer>("oauth", routes)]
    static let routes: [Route<MountedServer>] = AuthorizationServer.routes(of: \.server, profile: profile)

    /// What the server of the running test does beside the standard.
    @TaskLocal static var policy: any ServerExtension = PlainExtension()
    /// Other servers, for the running test; nil for the real ones.
    @TaskLocal static var web: WebCalls?
    /// The same for calls after the request.
    @TaskLocal static var callbacks: Callbacks?

    let world: World
    let server: AuthorizationServer

    init(_ world: World) {
        self.world = world
        var server = AuthorizationServer(Self.profile, Self.policy, world: world)
        server.services = server.services.replacing(callbacks: Self.callbacks, web: Self.web)
        self.server = server
    }

    static func response(for error: any Error) throws -> Response {
        if let response = try AuthorizationServer.response(for: error) { return response }
        switch error {
        case let error as RequestMalformed:
            return .oauth(
                ["error": "invalid_request", "error_description": .string(error.reason)], status: 400)
        case let unknown as RouteUnknown:
            var response = Response.oauth(["error": "not_found"], status: unknown.status)
            response.headers["Allow"] = unknown.allow
            return response
        default:
            return .oauth(["error": "server_error"], status: 500)
        }
    }

    func crossOriginPolicy(for _: Request) throws -> CrossOriginPolicy { try server.crossOriginPolicy() }

    static func load(_ fixtures: MountedFixtures, into db: Connection) throws {
        try AuthorizationServer.load(fixtures.oauth ?? OpenIDFixtures(), server: name, into: db)
    }

    static func export(from db: Connection) throws -> MountedFixtures {
        MountedFixtures(oauth: try AuthorizationServer.export(server: name, from: db))
    }
}

struct MountedFixtures: Codable, Sendable {
    var oauth: OpenIDFixtures?
}

extension MountedServer: CountsRefusals {
    /// Tokens that come again end their grant, a device that asks is noted with its time, and an assertion is good once.
    static let changedByRefusals =
        [
            "access_tokens.*.ended", "refresh_tokens.*.ended", "refresh_tokens.*.answer", "grants.*.ended",
            "grants.*.context", "assertions",
        ].map { "mounted.oauth." + $0 }
        + ["polled_at", "interval", "state"].map { "mounted.oauth.device_requests.*." + $0 }
}
