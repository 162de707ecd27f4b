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
        let device = try authentication.requireDevice(request)
        let (profileID, members) = (request.parameter("profile"), try Members(ofDevice: request))
        let pin = try members.text("pin")
        let scope = try device.client.grantable(members.optionalText("scope"))
        let id = services.entropy.uuid(for: "onegini.grant")
        let issuer = try server.issuer(request)
        let profile = try world.change { turn in
            try pins.requireMode(of: device.device, in: turn.db)
            return try pins.verify(pin, of: profileID, on: device.client.id, turn)
        }
        let grant = Grant(
            id: id, clientID: device.client.id, subject: profile.subject, scope: scope, issuer: issuer,
            type: "pin", authenticatedAt: server.now, amr: ["pin"], createdAt: server.now)
        let ruling = try server.ruling(on: IssueProposal(client: device.client, grant: grant, request))
        let prepared = try world.change { turn in
            let db = turn.db
            // Others were asked meanwhile.
            try pins.requireMode(of: device.device, in: db)
            guard try db.profile(profile.id, on: device.client.id)?.subject == profile.subject
            else { throw IssueRefusal.outdated(clientID: device.client.id) }
            return try server.issueTokens(
                for: grant, to: device.client, parameters: Form("profile_id=\(profile.id)"), under: ruling,
                in: db)
        }
        return .oauth(.object(try server.response(of: prepared)))
    }
}
