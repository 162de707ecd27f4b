import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension SampleApp {
    /// `POST /nextauth/token`: trades the web nonce of an AppLogin for an access token, as often as it is asked while the AppLogin lives.
    ///
    /// - Request: a form, `grant_type=urn:understudy:webnonce` and `webnonce`.
    /// - Response: `200 {"access_token","token_type":"Bearer","expires_in":300}`: a JWT whose subject is the user, verified by
    ///   `/nextauth/jwks`. It ends with the AppLogin, and may end before: then the nonce is traded again.
    /// - Errors: `400 invalid_grant` for a nonce at which nobody is logged in; `400`; `502`.
    /// - Source: documentation of the Mobile SDK, AppLogin, for the idea; RFC 6749 §5.
    func tradeWebNonce(_ request: Request) throws -> Response {
        let form = request.form
        guard form["grant_type"] == Self.webNonceGrant else {
            throw NextAuthTokenError.grantTypeUnsupported(form["grant_type"])
        }
        guard let nonce = form["webnonce"], !nonce.isEmpty else { throw NextAuthTokenError.nonceMissing }
        let settings = try self.settings(NextAuthSettings.kept, else: NextAuthSettings())
        let status = try nextAuth(settings, request).status(of: nonce)
        guard status.loggedin else {
            try end(.init(context: nonce))
            throw NextAuthTokenError.nobodyLoggedIn
        }
        guard let user = status.userid, !user.isEmpty else {
            throw NextAuthTokenError.userless(accountID: status.accountid)
        }
        let prepared = try issue(to: user, for: nonce, settings, request)
        return .oauth(
            .object(try tokens.response(of: prepared).filter { !$0.key.hasPrefix("scope") }))
    }

    private func issue(
        to user: String, for nonce: String, _ settings: NextAuthSettings, _ request: Request
    ) throws -> PreparedTokens {
        let client = tokenClient(settings)
        let grant = Grant(
            id: tokens.uuid(for: "grant"), clientID: client.id, subject: user, scope: ScopeList(""),
            issuer: try tokens.issuer(request), type: Self.webNonceGrant, authenticatedAt: tokens.now,
            amr: ["pin"], context: nonce, createdAt: tokens.now)
        let ruling = try tokens.ruling(on: IssueProposal(client: client, grant: grant, request))
        let prepared = try tokens.database.write { db in
            try tokens.issueTokens(for: grant, to: client, parameters: Form(""), under: ruling, in: db)
        }
        services.journal.event(
            "web nonce traded", about: user,
            "The access token of \(user) lives for \(settings.tokenSeconds) s, and no longer than the AppLogin; the nonce can be traded "
                + "again until that ends.")
        return prepared
    }

    /// What was issued for an AppLogin that is over.
    private func end(_ grants: Grant.Selection) throws {
        try tokens.database.write { db in try tokens.grants.end(grants, .loggedOut, at: tokens.now, in: db) }
    }

    /// `GET /nextauth/me`: an API that an AppLogin protects: the user, for as long as the AppLogin lasts.
    ///
    /// - Request: `Authorization: Bearer` with the access token.
    /// - Response: `200 {"userid","attributes"}`. A token that was minted belongs to no AppLogin and ends by its time alone.
    /// - Errors: `401` without a token, for one that has expired, and as soon as the AppLogin has ended; `502`.
    /// - Source: ours.
    func showNextAuthUser(_ request: Request) throws -> Response {
        let token = try tokens.requireAccessToken(request)
        let settings = try self.settings(NextAuthSettings.kept, else: NextAuthSettings())
        let server = nextAuth(settings, request)
        let grant = try tokens.database.read { db in try tokens.grants.find(token.grantID, in: db) }
        let isLoggedIn = try grant?.context.map { try server.status(of: $0).loggedin } ?? (grant != nil)
        guard let user = token.subject, isLoggedIn else {
            try end(.init(grantID: token.grantID))
            // Says why, now that it has ended.
            _ = try tokens.requireAccessToken(request)
            throw NextAuthTokenError.nobodyLoggedIn
        }
        return .oauth(["userid": .string(user), "attributes": try server.attributes(of: user)])
    }
}
