import Essentials
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// What a refresh token was traded for.
    private enum Traded: Sendable {
        case prepared(PreparedTokens)
        /// Signed already, because the same is to be said again within the grace window.
        case answered([String: JSONValue], subject: String?)
    }

    /// The standard's refusal, and what is answered: the platform's own, or else the same.
    private struct Refused: Error {
        let refusal: RefreshRefusal
        let error: any Error
    }

    /// The grant `refresh_token`: trades a refresh token for new tokens, the next refresh token among them.
    ///
    /// Others are asked first. Then everything happens in one transaction: of two requests with the same token one is served, or both get the same answer.
    /// Sources: RFC 6749 §6; RFC 9700 §4.14.2.
    func refresh(_ call: ClientCall) throws -> [String: JSONValue] {
        let text = try call.form.require("refresh_token", for: "the grant “refresh_token”")
        let digest = Handle.digest(text)
        try checkKey(digest, call)
        let keys = try graceKeys(of: call.client)
        let ruling = try refreshProposal(digest, call).map { try self.ruling(on: $0) }
        do {
            let traded = try world.change { turn in try refresh(digest, call, keys, ruling, turn) }
            let (members, subject) = try told(traded)
            policy.note(
                AuditEvent(.accessTokenRefreshed, of: call.client, subject: subject, call.request))
            return members
        } catch let refused as Refused {
            if !(refused.error is RefreshRefusal), let kind = refused.refusal.event {
                policy.note(AuditEvent(kind, of: call.client, call.request))
            }
            throw refused.error
        }
    }

    /// A token that is bound to a key comes with a proof of that key. Source: RFC 9449 §5.
    private func checkKey(_ digest: [UInt8], _ call: ClientCall) throws {
        let token = try database.read { db in try refreshTokens.find(digest, in: db) }
        guard let token, token.clientID == call.client.id else { return }
        try require(token.proofKey, of: "refresh token", call)
    }

    private func told(_ traded: Traded) throws -> ([String: JSONValue], subject: String?) {
        switch traded {
        case .prepared(let prepared): (try response(of: prepared), prepared.grant.subject)
        case .answered(let members, let subject): (members, subject)
        }
    }

    /// The keys of a client whose answers are kept, taken before the transaction that keeps them; nil for other clients. A
    /// signature may be another one each time, so the answer is kept signed.
    private func graceKeys(of client: Client) throws -> TokenKeys? {
        guard client.refreshGraceSeconds > 0 else { return nil }
        return TokenKeys(
            accessToken: client.accessTokenFormat == .jwt ? try signingKey(client.accessTokenAlgorithm) : nil,
            idToken: try signingKey(client.idTokenAlgorithm))
    }

    /// What others have to be asked about; nil when there is something to refuse, or the answer stands already.
    private func refreshProposal(_ digest: [UInt8], _ call: ClientCall) throws -> IssueProposal? {
        try database.read { db in
            guard let token = try refreshTokens.find(digest, in: db),
                let grant = try grants.find(token.grantID, in: db), failure(of: token, grant, call) == nil
            else { return nil }
            let scope = call.form["scope"].map { ScopeList($0) } ?? token.scope
            guard scope.isSubset(of: token.scope) else { return nil }
            return IssueProposal(
                client: call.client, grant: grant, scope: scope, isRefresh: true, call.request)
        }
    }

    private func refresh(
        _ digest: [UInt8], _ call: ClientCall, _ keys: TokenKeys?, _ ruling: IssueRuling?, _ turn: Turn
    ) throws -> Traded {
        let found = try refreshTokens.find(digest, in: turn.db)
        let grant = try found.flatMap { try grants.find($0.grantID, in: turn.db) }
        guard var token = found, let grant else { throw try refused(.unknown, found, nil, call, turn) }
        if let answer = try answer(again: token, grant, call) {
            return .answered(answer, subject: grant.subject)
        }
        if let reason = failure(of: token, grant, call) {
            throw try refused(reason, token, grant, call, turn)
        }
        let scope = call.form["scope"].map { ScopeList($0) } ?? token.scope
        let tooMuch = scope.missing(in: token.scope)
        guard tooMuch.isEmpty else {
            let refusal = RefreshRefusal.scopeWidened(tooMuch, granted: token.scope)
            throw Refused(refusal: refusal, error: refusal)
        }
        guard let ruling else { throw IssueRefusal.outdated(clientID: call.client.id) }
        try ruling.check(grant, scope: scope)
        let prepared = try trade(token, grant, ruling, call, in: turn.db)
        let members = try keys.map { try response(of: prepared, signedWith: $0) }
        if try settings(in: turn.db).rotatesRefreshTokens {
            (token.spentAt, token.answer) = (call.now, members.map { JSONValue.object($0).text })
            try turn.update(token, .spentAt, .answer)
        }
        return members.map { .answered($0, subject: grant.subject) } ?? .prepared(prepared)
    }

    /// What was answered before, when the grace window is still open.
    private func answer(
        again token: RefreshToken, _ grant: Grant, _ call: ClientCall
    ) throws -> [String: JSONValue]? {
        guard let spentAt = token.spentAt, let answer = token.answer, token.end == nil,
            token.clientID == call.client.id, call.now < spentAt + Double(call.client.refreshGraceSeconds),
            policy.accepts(grant, refreshedWith: call.form.form, by: call.client)
        else { return nil }
        return try JSONValue(parsing: Array(answer.utf8)).object
    }

    private func failure(
        of token: RefreshToken, _ grant: Grant, _ call: ClientCall
    ) -> RefreshFailure.Reason? {
        if token.clientID != call.client.id { return .foreign(clientID: token.clientID) }
        if !policy.accepts(grant, refreshedWith: call.form.form, by: call.client) { return .notAccepted }
        if let end = token.end ?? grant.end { return .ended(end) }
        if let spentAt = token.spentAt { return .reused(at: spentAt) }
        return call.now >= token.expiresAt ? .expired(at: token.expiresAt) : nil
    }

    /// A refusal with what follows from it, which is kept.
    private func refused(
        _ reason: RefreshFailure.Reason, _ token: RefreshToken?, _ grant: Grant?, _ call: ClientCall,
        _ turn: Turn
    ) throws -> Refused {
        let failure = RefreshFailure(
            reason: reason, client: call.client, grant: grant, parameters: call.form.form, now: call.now)
        let refusal = RefreshRefusal.of(reason, token, call)
        let consequence = try policy.consequence(of: failure, in: turn.db)
        return turn.kept(Refused(refusal: refusal, error: consequence?.error ?? refusal)) { turn in
            if case .reused = reason, let grant {
                try grants.end(.init(grantID: grant.id), .reused, at: call.now, in: turn.db)
            }
            try consequence?.keep(turn.db)
        }
    }

    private func trade(
        _ token: RefreshToken, _ grant: Grant, _ ruling: IssueRuling, _ call: ClientCall, in db: Connection
    ) throws -> PreparedTokens {
        // What others say of a refresh is good for its access token; at the next one they are asked again.
        var grant = grant
        grant.tokenClaims = ruling.claims
        let audience = try audience(of: call, within: grant)
        var issue = TokenIssue(
            client: call.client, grant: grant, parameters: call.form.form, isRefresh: true, now: call.now)
        issue.proofKey = call.proofKey
        issue.keepsRefreshToken = try !settings(in: db).rotatesRefreshTokens
        let first = try refreshTokens.first(where: "grant_id = \(grant.id)", in: db) ?? token
        let until = first.issuedAt + Double(call.client.refreshTokenMaxSeconds)
        // RFC 6749 §6: the next refresh token has the scope of this one, even where the access token asks for less.
        return try prepare(
            issue, scope: ruling.scope, audience: audience, refreshable: (token.scope, until), in: db)
    }
}
