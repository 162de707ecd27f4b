import Crypto
import Essentials
package import HTTP
import PlatformKit
package import SQLite

// For a platform that finds out by itself who the user is.
extension AuthorizationServer {
    /// Reads and checks an authentication request for a code. Source: OpenID Connect Core 1.0 §3.1.2.1.
    ///
    /// - Parameter form: `client_id`, `redirect_uri`, `response_type=code`, `response_mode`, `scope`, `state`, `nonce` and others; 64 KiB at most.
    /// - Throws: a refusal that ``response(for:)`` answers: with a page while client or redirect URI are wrong, then at that URI.
    package func readAuthorization(_ form: Form, at request: Request) throws -> CheckedAuthorization {
        let parameters = AuthorizationParameters(form)
        let client = try client(parameters)
        let asked = try readAuthorization(
            expanded(parameters, of: client, at: request), of: client, at: request)
        if !asked.scope.contains(ScopeList.openID) {
            throw AuthorizationRefusal(.openIDMissing(asked.responseType), asked.target)
        }
        // A platform of this kind has no sessions of its own: whoever must not be asked cannot be known.
        if asked.isSilent { throw AuthorizationRefusal(.loginRequired(.noSession), asked.target) }
        return CheckedAuthorization(asked)
    }

    /// Makes an authorization code for a user who was found out, inside the caller's transaction.
    ///
    /// - Parameters:
    ///   - amr: how. Source: RFC 8176 §2.
    ///   - context: a note of the platform's own at the grant.
    /// - Returns: nil when the client is gone.
    package func makeCode(
        for checked: CheckedAuthorization, subject: String, amr: [String], context: String?,
        in db: Connection
    ) throws -> String? {
        guard let client = try clients.find(checked.clientID, in: db) else { return nil }
        let grant = Grant(
            id: uuid(for: "grant"), clientID: client.id, subject: subject,
            scope: ScopeList(checked.scope), issuer: checked.issuer, type: GrantType.authorizationCode,
            authenticatedAt: now, amr: amr, nonce: checked.nonce, claims: checked.claims, context: context,
            createdAt: now)
        try grants.insert(grant, in: db)
        let code = Base64URL.encode(bytes(Handle.byteCount, for: "code"))
        var made = AuthorizationCode(
            digest: Handle.digest(code), grantID: grant.id, clientID: client.id,
            redirectURI: checked.namesRedirectURI ? checked.redirectURI : nil,
            challenge: checked.challenge, challengeMethod: checked.challengeMethod, issuedAt: now,
            expiresAt: now + Double(client.codeSeconds))
        made.proofKey = checked.proofKey
        try codes.insert(made, in: db)
        for subject in made.subjects { services.journal.concern(subject) }
        if db.lastInsertID.isMultiple(of: Token.tidyInterval) { try grants.tidy(in: db) }
        return code
    }
}
