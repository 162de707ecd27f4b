import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `POST /sdk/v1/profiles/{profile_id}/login`: tokens for a PIN. For the convenience mode: the PIN leaves the device.
    ///
    /// - Request: the device's credentials, and `{"pin", "scope"?}`.
    /// - Response: `200` with a token response and `profile_id`. Tokens of earlier logins of the profile end.
    /// - Errors: 400 `invalid_grant` 9009 or 9003 for a wrong PIN, which is counted; 409 `pin_not_set` 10015; 400 `invalid_scope`; 404
    ///   `not_found` 10015 when PINs may not be sent; 400 `invalid_request` 10015; 401 `invalid_client`; ``IssueRefusal``.
    /// - Source: the device protocol.
    func logInByPIN(_ request: Request) throws -> Response {
        let device = try requireDevice(request)
        let (profileID, members) = (request.parameter("profile"), try members(request))
        let pin = try members.text("pin")
        let scope = try grantable(members.optionalText("scope"), to: device.client)
        let id = services.entropy.uuid(for: "onegini.grant")
        let issuer = try server.issuer(request)
        let profile = try world.change { turn in
            _ = try convenient(device.device, in: turn.db)
            return try verify(pin, of: profileID, on: device.client.id, turn)
        }
        let grant = Grant(
            id: id, clientID: device.client.id, subject: profile.subject, scope: scope, issuer: issuer,
            type: "pin", authenticatedAt: server.now, amr: ["pin"], createdAt: server.now)
        let ruling = try server.ruling(on: IssueProposal(client: device.client, grant: grant, request))
        let prepared = try world.change { turn in
            let db = turn.db
            // Others were asked meanwhile.
            _ = try convenient(device.device, in: db)
            guard try db.profile(profile.id, on: device.client.id)?.subject == profile.subject
            else { throw IssueRefusal.outdated(clientID: device.client.id) }
            return try server.issueTokens(
                for: grant, to: device.client, parameters: Form("profile_id=\(profile.id)"), under: ruling,
                in: db)
        }
        return .oauth(.object(try server.response(of: prepared)))
    }

    /// The scopes that a request names, or else the client's default ones.
    ///
    /// - Throws: 400 `invalid_scope`.
    func grantable(_ asked: String?, to client: Client) throws -> ScopeList {
        guard let asked else { return client.defaultScopes ?? ScopeList([ScopeList.openID]) }
        let scope = ScopeList(asked)
        let foreign = scope.missing(in: client.scopes)
        guard foreign.isEmpty else {
            throw CustomRegistrationRefusal.scopeInvalid(foreign, allowed: client.scopes.text)
        }
        return scope
    }
}

extension Onegini {
    /// `POST /sdk/v1/pin-policy/validate`: whether a PIN is allowed. For the convenience mode: the PIN leaves the device.
    ///
    /// - Request: the device's credentials, and `{"pin"}`.
    /// - Response: 204.
    /// - Errors: 422 `pin_blocked` 9011, `pin_sequence` 9012, `pin_similar_digits` 9013, `pin_length` 9014; 404 `not_found` 10015
    ///   when PINs may not be sent; 400 `invalid_request` 10015; 401 `invalid_client`.
    /// - Source: the device protocol.
    func checkPIN(_ request: Request) throws -> Response {
        let device = try requireDevice(request).device
        let pin = try members(request).text("pin")
        try check(pin, by: try database.read { db in try convenient(device, in: db).pinPolicy })
        return .noContent
    }
}
