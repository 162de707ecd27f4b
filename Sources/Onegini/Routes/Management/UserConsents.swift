import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `GET /api/v1/users/{userId}/consents`: what the user allowed clients.
    ///
    /// - Request: credentials of an API client with `onegini_api_end_user`.
    /// - Response: `200 {"consents":[{id, client_name, device_name?, scopes[]}]}`.
    /// - Errors: 401; 403 `insufficient_permissions`; 404 `No consents found`.
    /// - Source: Token Server documentation, consent API.
    func listUserConsents(_ request: Request) throws -> Response {
        try access.requireEndUser(request)
        let user = request.parameter("userId")
        let listed = try database.read { db in
            try server.consents.all(of: user, in: db).map { consent -> JSONValue in
                var members = try server.clientMembers(consent.clientID, in: db)
                members["id"] = .string(consent.id)
                members["scopes"] = JSONValue(consent.scope.names)
                return .object(members)
            }
        }
        return try .list("consents", listed, of: user, what: "consents")
    }

    /// `DELETE /api/v1/users/{userId}/consents/{consentId}`: takes back a consent, with the grants and tokens of its client.
    ///
    /// - Request: credentials of an API client with `onegini_api_end_user`.
    /// - Response: 204, also for a consent that is unknown or another user's.
    /// - Errors: 401; 403 `insufficient_permissions`.
    /// - Source: Token Server documentation, consent API.
    func removeUserConsent(_ request: Request) throws -> Response {
        try access.requireEndUser(request)
        let (user, id) = (request.parameter("userId"), request.parameter("consentId"))
        try world.change { turn in
            for consent in try server.consents.all(of: user, in: turn.db) where consent.id == id {
                try server.consents.remove(id, in: turn.db)
                try server.grants.end(
                    .init(clientID: consent.clientID, subject: user), .revoked, at: turn.now, in: turn.db)
            }
        }
        return .managementDone
    }
}
