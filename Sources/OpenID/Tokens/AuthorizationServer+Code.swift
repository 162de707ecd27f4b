import SQLite

extension AuthorizationServer {
    /// The grant `authorization_code`: spends the code and makes its tokens in one transaction, so that it is redeemed once.
    ///
    /// A code that comes again ends what it brought. Source: RFC 6749 §4.1.2, §4.1.3.
    func redeemCode(_ call: ClientCall) throws -> PreparedTokens {
        let text = try call.form.require("code", for: "the grant \"authorization_code\"")
        let digest = Handle.digest(text)
        let found = try database.read { db in try codes.find(digest, in: db) }
        if let found, found.clientID == call.client.id {
            try require(found.proofKey, of: "authorization code", call)
        }
        let outcome = try database.write { db -> Result<PreparedTokens, CodeRefusal> in
            guard let code = try codes.find(digest, in: db),
                let grant = try grants.find(code.grantID, in: db)
            else { return .failure(.unknown) }
            if let refusal = refusal(of: code, grant, call) {
                if case .reused = refusal {
                    try grants.end(.init(grantID: grant.id), .reused, at: call.now, in: db)
                }
                return .failure(refusal)
            }
            if let end = grant.end { return .failure(.ended(end)) }
            try codes.spend(digest, at: call.now, in: db)
            return .success(try prepare(call, grant, in: db))
        }
        let prepared = try outcome.get()
        try noteAddress(of: call, redeeming: prepared.grant)
        return prepared
    }

    private func refusal(
        of code: AuthorizationCode, _ grant: Grant, _ call: ClientCall
    ) -> CodeRefusal? {
        if code.clientID != call.client.id {
            return .foreign(clientID: code.clientID, caller: call.client.id)
        }
        if let spentAt = code.spentAt { return .reused(spentAt: spentAt, now: call.now) }
        return code.refusal(of: call, issuer: grant.issuer)
    }
}
