import Essentials
import HTTP
import JOSE
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// `GET` and `POST /userinfo`: the claims of the user whose access token comes.
    ///
    /// - Request: an access token with the scope `openid`, in the header field or in the form of a `POST`.
    /// - Response: `200 {"sub": …, …}`, or a JWT for a client with `userinfo_signed_response_alg`.
    /// - Errors: ``BearerRefusal``, ``DPoPRefusal``.
    /// - Source: OpenID Connect Core 1.0 §5.3, §5.4, §5.5.
    func tellAboutUser(_ request: Request) throws -> Response {
        let token = try requireAccessToken(request, scope: ScopeList.openID)
        guard let subject = token.subject else { throw BearerRefusal.userless(token) }
        let known = try database.read { db -> (claims: [String: JSONValue], client: Client?) in
            let client = try clients.find(token.clientID, in: db)
            return (claims: try claims(for: token, client, in: db), client: client)
        }
        var members = known.claims
        members["sub"] = .string(subject)
        let algorithm = known.client?.metadata.userinfoSignedResponseAlg ?? "none"
        var response = algorithm == "none" ? .oauth(.object(members)) : try signed(members, token, algorithm)
        if token.proofKey != nil { response.headers["DPoP-Nonce"] = try proofNonce() }
        return response
    }

    private func claims(
        for token: AccessToken, _ client: Client?, in db: Connection
    ) throws -> [String: JSONValue] {
        guard let grant = try grants.find(token.grantID, in: db), let user = try user(of: grant, in: db)
        else { return [:] }
        let byScope = try claimMapping(for: client, in: db).released(
            user.claims, by: token.scope, to: .userinfo)
        let byName = user.claims(grant.wantedClaims(.userinfo) ?? [:])
        return StandardClaims.wellTyped(byScope.merging(byName) { one, _ in one })
    }

    /// Source: OpenID Connect Core 1.0 §5.3.2.
    private func signed(
        _ claims: [String: JSONValue], _ token: AccessToken, _ algorithm: String
    ) throws -> Response {
        var claims = claims
        claims["iss"] = .string(token.issuer)
        claims["aud"] = .string(token.clientID)
        let order = order("userinfo", user: token.subject, client: token.clientID)
        let jwt = try services.sign(.object(claims), order, with: signingKey(algorithm))
        return Response(
            headers: ["Content-Type": "application/jwt", "Cache-Control": "no-store"], body: Array(jwt.utf8))
    }
}
