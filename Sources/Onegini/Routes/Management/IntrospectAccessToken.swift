import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `POST /api/v2/token/introspect`: what an access token is good for, as resource gateways ask it.
    ///
    /// - Request: credentials of an API client with `onegini_api_token_introspection`; form with `token`; `refresh_user_details` is
    ///   read and changes nothing, since users' details are never kept twice here.
    /// - Response: `200 {"active":false}`, or 200 with the members of RFC 7662 and `app_identifier`, `app_version`, `app_platform`,
    ///   `usage_limit`, `usage_count`, `user_details`, `amr`, and the claims that a web hook gave; those without a value are left
    ///   out. Where there is a usage limit, each such answer is a use, and a token that is used up is not active.
    /// - Errors: 400 `invalid_request`; 401; 403 `insufficient_scope`.
    /// - Source: Token Server documentation, token introspection; RFC 7662 §2.2.
    func introspectAccessToken(_ request: Request) throws -> Response {
        try introspection(request) { $0.members }
    }

    /// `POST /api/v1/token/introspect`: the version before, which published resource gateways still ask.
    ///
    /// - Request: as in v2.
    /// - Response: as in v2, but `exp` is the number of seconds that the token is still good for (*assumed*: it is documented to be
    ///   no absolute time).
    /// - Errors: as in v2.
    /// - Source: Token Server documentation, token introspection of 9.1; release notes of June and August 2022.
    func introspectAccessTokenV1(_ request: Request) throws -> Response {
        let now = services.clock.now()
        return try introspection(request) { found in
            var members = found.members
            members["exp"] = members["exp"]?.integer.map { .integer($0 - now.unixSeconds) }
            return members
        }
    }

    /// - Parameter members: what RFC 7662 has about a token that is active.
    private func introspection(
        _ request: Request, members: (AuthorizationServer.Introspection) -> [String: JSONValue]
    ) throws -> Response {
        let caller = try access.require(
            request, scope: "onegini_api_token_introspection", denial: "insufficient_scope")
        guard let text = request.form["token"], !text.isEmpty else {
            throw AccessTokenIntrospectionRefusal(mediaType: request.headers["Content-Type"])
        }
        guard let token = try server.accessToken(text), let found = try server.introspection(of: text) else {
            try noteIntrospection(.tokenIntrospectionFailed, caller, nil, request)
            return .oauth(["active": false])
        }
        var extra = try database.read { db in try introspectionMembers(of: token, in: db) }
        // With this use, which the resource gateway is about to allow. *Assumed*.
        extra["usage_count"] = found.limited.map { .integer($0.uses) }
        try noteIntrospection(.tokenIntrospectionSuccess, caller, token, request)
        return .oauth(.object(members(found).merging(extra) { _, vendor in vendor }))
    }

    private func introspectionMembers(
        of token: AccessToken, in db: Connection
    ) throws -> [String: JSONValue] {
        let grant = try server.grants.find(token.grantID, in: db)
        var members: [String: JSONValue] = [
            "token_type": "bearer", "amr": JSONValue([TokenType(of: grant).rawValue]),
            "usage_limit": .integer(try db.usageLimit(of: token.scope)),
        ]
        if let device = try db.device(token.clientID) {
            members["app_identifier"] = .string(device.application)
            members["app_version"] = .string(device.version)
            members["app_platform"] = .string(device.platform.rawValue)
        }
        if let subject = token.subject, let user = try server.users.find(subject, in: db) {
            let details = UserDetails.released(user.claims, by: token.scope)
            if !details.isEmpty { members["user_details"] = .object(details) }
        }
        return members
    }

    private func noteIntrospection(
        _ type: EventType, _ caller: Client, _ token: AccessToken?, _ request: Request
    ) throws {
        try audit.note(
            Event(type, clientID: token?.clientID ?? caller.id, subject: token?.subject, request, services))
    }
}

/// An introspection request without a token.
struct AccessTokenIntrospectionRefusal: OAuthRefusal {
    let mediaType: String?

    var wire: OAuthWire { OAuthWire(.badRequest, "invalid_request", "The parameter token is missing") }

    var explanation: String {
        "Expected a form with the parameter token, found none in the body, which came as "
            + "\(mediaType.map { "“\($0.prefix(80))”" } ?? "no media type")."
    }
}
