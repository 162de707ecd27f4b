import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `GET /api/v1/users/{userId}/tokens`: the user's access tokens.
    ///
    /// - Request: credentials of an API client with `onegini_api_end_user`.
    /// - Response: `200 {"tokens":[{id, client_name, device_name?, created_at, scopes[], type, refresh_token_issued, expired}]}`.
    ///   An expired token stands in the list while its grant can be refreshed.
    /// - Errors: 401; 403 `insufficient_permissions`; 404 `No tokens found`.
    /// - Source: Token Server documentation, access token API.
    func listUserTokens(_ request: Request) throws -> Response {
        try access.requireEndUser(request)
        let user = request.parameter("userId")
        let now = server.now
        let listed = try database.read { db in
            try server.liveGrants(of: user, in: db).flatMap { grant -> [JSONValue] in
                let isRefreshable = try server.hasRefreshToken(grant, at: now, in: db)
                let tokens = try server.accessTokens.ofGrant(grant.id, in: db).filter {
                    $0.end == nil
                }
                return try tokens.filter { token in
                    // An older one was replaced by the last.
                    token.isAlive(at: now) || isRefreshable && token.id == tokens.last?.id
                }.map { try tokenMembers($0, of: grant, isRefreshable, at: now, in: db) }
            }
        }
        return try .list("tokens", listed, of: user, what: "tokens")
    }

    /// `DELETE /api/v1/users/{userId}/tokens/{tokenId}`: takes back an access token, and the refresh token that came with it.
    ///
    /// - Request: credentials of an API client with `onegini_api_end_user`.
    /// - Response: 204, also for a token that is unknown or another user's.
    /// - Errors: 401; 403 `insufficient_permissions`.
    /// - Source: Token Server documentation, access token API. That the refresh token goes as well is assumed: the purpose
    ///   given there is to end the access of a device.
    func removeUserToken(_ request: Request) throws -> Response {
        try access.requireEndUser(request)
        let (user, id) = (request.parameter("userId"), request.parameter("tokenId"))
        try world.change { turn in
            for grant in try server.liveGrants(of: user, in: turn.db)
            where try server.accessTokens.ofGrant(grant.id, in: turn.db).contains(where: { $0.id == id }) {
                try server.grants.end(.init(grantID: grant.id), .revoked, at: turn.now, in: turn.db)
            }
        }
        return .managementDone
    }

    private func tokenMembers(
        _ token: AccessToken, of grant: Grant, _ isRefreshable: Bool, at now: Date, in db: Connection
    ) throws -> JSONValue {
        var members = try server.clientMembers(token.clientID, in: db)
        members["id"] = .string(token.id)
        members["created_at"] = .integer(token.issuedAt.unixMilliseconds)
        members["scopes"] = JSONValue(token.scope.names)
        members["type"] = .string(TokenType(of: grant).rawValue)
        members["refresh_token_issued"] = .boolean(isRefreshable)
        members["expired"] = .boolean(!token.isAlive(at: now))
        return .object(members)
    }
}
