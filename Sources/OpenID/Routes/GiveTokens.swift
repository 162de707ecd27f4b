import Essentials
import HTTP
import SQLite

extension AuthorizationServer {
    /// `POST /token`: trades a grant for tokens.
    ///
    /// - Request: a form with `grant_type` and what that grant needs; the client proves who it is.
    /// - Response: `200 {"access_token": …, "token_type": "Bearer", "expires_in": 3600, "scope": …}` with `refresh_token` and
    ///   `id_token` where they belong.
    /// - Errors: ``TokenRefusal``, ``DPoPRefusal``, ``IssueRefusal`` when others refuse, and those of the grant.
    /// - Source: RFC 6749 §3.2, §5; RFC 9449 §5; OpenID Connect Core 1.0 §3.1.3.
    func giveTokens(_ request: Request) throws -> Response {
        var call = try clientCall(request)
        let members = try audited(request, clientID: call.client.id) {
            if call.form["authorization_details"] != nil { throw TokenRefusal.authorizationDetails }
            call.proofKey = try proofKey(request)
            try requireProof(by: call)
            return try tokens(for: call)
        }
        var response = Response.oauth(.object(members))
        if call.proofKey != nil { response.headers["DPoP-Nonce"] = try proofNonce() }
        return response
    }

    private func tokens(for call: ClientCall) throws -> [String: JSONValue] {
        let type = try call.form.require("grant_type", for: "a token request")
        let supported = try settings().tokenGrants
        guard supported.contains(type) else {
            throw TokenRefusal.grantTypeUnsupported(type, supported: supported)
        }
        guard call.client.may(type) else {
            throw TokenRefusal.grantTypeNotAllowed(
                type, clientID: call.client.id, allowed: call.client.grantTypes)
        }
        switch type {
        case GrantType.authorizationCode: return try response(of: redeemCode(call))
        case GrantType.clientCredentials: return try response(of: grantClient(call))
        case GrantType.deviceCode: return try response(of: redeemDeviceCode(call))
        case GrantType.tokenExchange: return try response(of: exchange(call))
        case GrantType.password: return try response(of: grantByPassword(call))
        default: return try refresh(call)
        }
    }

    /// The tokens of a grant that stands in the database, with a line in the audit.
    func prepare(_ call: ClientCall, _ grant: Grant, in db: Connection) throws -> PreparedTokens {
        var issue = TokenIssue(
            client: call.client, grant: grant, parameters: call.form.form, isRefresh: false, now: call.now)
        let audience = try audience(of: call, within: grant)
        issue.proofKey = call.proofKey
        try noteTokens(of: grant, call, in: db)
        return try prepare(issue, scope: grant.scope, audience: audience, in: db)
    }

    func noteTokens(of grant: Grant, _ call: ClientCall, in db: Connection) throws {
        let event = AuditEvent(
            .accessTokenCreated, of: call.client, subject: grant.subject, call.request)
        try policy.note(event, in: db)
    }

    /// The scope that a request names, or the client's own.
    ///
    /// - Throws: `invalid_scope`. A part that cannot be given is not left out in silence.
    func scope(of call: ClientCall, in db: Connection) throws -> ScopeList {
        let asked = ScopeList(call.form["scope"] ?? "")
        // What the client's metadata list is known; only the rest has to be looked up.
        if !asked.isEmpty, asked.isSubset(of: call.client.scopes) { return asked }
        let resolved = try scopes.resolve(
            asked.text, for: call.client, demandsScope: profile.demandsScope, in: db)
        do {
            return try resolved.get()
        } catch {
            throw TokenRefusal.scope(error, clientID: call.client.id)
        }
    }

    /// ``scope(of:in:)``, outside of any transaction.
    func requestedScope(_ call: ClientCall) throws -> ScopeList {
        try database.read { db in try scope(of: call, in: db) }
    }

    /// The audiences that a request names. Sources: RFC 8707 §2; RFC 8693 §2.1.
    ///
    /// - Throws: `invalid_target` for one that the client may not ask for.
    func audience(of call: ClientCall) throws(TokenRefusal) -> [String] {
        let asked = call.form.values(of: "audience") + call.form.values(of: "resource")
        return try audience(asked, among: call.client.metadata.audiences ?? [], call)
    }

    /// What a request that trades a grant names of the grant's audience; all of it when it names nothing. Source: RFC 8707 §2.2.
    ///
    /// - Throws: `invalid_target` for one that was not granted.
    func audience(of call: ClientCall, within grant: Grant) throws(TokenRefusal) -> [String] {
        let granted = call.client.audience(of: grant)
        guard profile.knowsResources else { return granted }
        let asked = try audience(call.form.values(of: "resource"), among: granted, call)
        return asked.isEmpty ? granted : asked
    }

    private func audience(
        _ asked: [String], among allowed: [String], _ call: ClientCall
    ) throws(TokenRefusal) -> [String] {
        let asked = ScopeList(asked).names
        let foreign = asked.filter { !allowed.contains($0) }
        guard foreign.isEmpty else {
            throw .targetUnknown(foreign, clientID: call.client.id, allowed: allowed)
        }
        return asked
    }
}

extension GrantType {
    /// Those that a token request can name.
    static let atTokenEndpoint = [
        authorizationCode, refreshToken, clientCredentials, deviceCode, tokenExchange, password,
    ]
}
