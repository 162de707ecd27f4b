import Essentials
import HTTP
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// What a token turned out to be.
    private enum Revoked: Sendable {
        case access(AccessToken)
        case refresh(RefreshToken)
        case nothing
    }

    /// `POST /revoke`: ends a token before its time.
    ///
    /// An access token ends alone; a refresh token takes with it everything that grew from the same login.
    ///
    /// - Request: a form with `token`; the client proves who it is. `token_type_hint` is not needed.
    /// - Response: `200` without a body, also for a token that nobody knows.
    /// - Errors: ``TokenRefusal``, ``RevocationRefusal`` for a token of another client.
    /// - Source: RFC 7009 §2.
    func revoke(_ request: Request) throws -> Response {
        let call = try clientCall(request)
        let text = try call.form.require("token", for: "revocation")
        let accessDigest = try knownDigest(text)
        let revoked = try world.change { turn -> Revoked in
            if let accessDigest, var token = try accessTokens.find(accessDigest, in: turn.db) {
                try check(token.clientID, call)
                if token.end == nil {
                    token.end = TokenEnd(at: call.now, reason: .revoked)
                    try turn.update(token)
                }
                return .access(token)
            }
            guard let token = try refreshTokens.find(Handle.digest(text), in: turn.db) else {
                return .nothing
            }
            try check(token.clientID, call)
            try grants.end(.init(grantID: token.grantID), .revoked, at: call.now, in: turn.db)
            return .refresh(token)
        }
        note(revoked, call)
        return Response(headers: ["Cache-Control": "no-store"])
    }

    private func check(_ owner: String, _ call: ClientCall) throws(RevocationRefusal) {
        guard owner == call.client.id else { throw .foreign(clientID: owner, caller: call.client.id) }
    }

    private func note(_ revoked: Revoked, _ call: ClientCall) {
        switch revoked {
        case .access(let token):
            policy.note(
                AuditEvent(
                    .accessTokenRevoked, of: call.client, subject: token.subject, call.request))
        case .refresh:
            policy.note(AuditEvent(.refreshTokenRevoked, of: call.client, call.request))
        case .nothing:
            services.journal.event(
                "nothing revoked",
                "The text is not a token of this server, which counts as a success (RFC 7009 §2.2).")
        }
    }
}
