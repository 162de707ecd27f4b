import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    private static let approvalScope = "access:device-authorization:approve"

    /// `POST /device_authorization/approve?user_code=…`: a user lets a device in from within an app.
    ///
    /// - Request: an access token of a user with the scope `access:device-authorization:approve`; query `user_code`.
    /// - Response: 204.
    /// - Errors: 401 `invalid_token`; 403 `insufficient_scope`; 403 `access_denied` for a token without a user; 400
    ///   `invalid_request`; 400 `expired_token`; 409 `already_authorized`; 429 `slow_down` after five wrong codes in a minute.
    /// - Source: Token Server documentation, OAuth endpoints; the statuses are assumed.
    func approveDevice(_ request: Request) throws -> Response {
        let token = try server.requireAccessToken(request, scope: Self.approvalScope)
        guard let subject = token.subject else { throw ApprovalRefusal.nobody(clientID: token.clientID) }
        let grant = try database.read { db in try server.grants.find(token.grantID, in: db) }
        guard let code = Form(request.query ?? "")["user_code"], !code.isEmpty else {
            throw ApprovalRefusal.codeMissing
        }
        let approval = DeviceApproval(
            subject: subject, authenticatedAt: grant?.authenticatedAt, acr: grant?.acr, amr: grant?.amr ?? [])
        try server.approveDevice(code, approval, from: request.peer.address)
        return Response(
            status: .noContent, headers: ["Cache-Control": "no-store", "Pragma": "no-cache"])
    }
}

/// An approval that no device can be let in by.
struct ApprovalRefusal: OAuthRefusal, Equatable {
    let wire: OAuthWire
    let explanation: String

    static func nobody(clientID id: String) -> Self {
        Self(
            wire: OAuthWire(.forbidden, "access_denied", "The access token is of no user"),
            explanation:
                "The access token was issued to the client “\(id)” for itself; expected one of the user who approves."
        )
    }

    static var codeMissing: Self {
        Self(
            wire: OAuthWire(.badRequest, "invalid_request", "The parameter user_code is missing"),
            explanation: "Expected the parameter user_code in the query, found none there.")
    }
}
