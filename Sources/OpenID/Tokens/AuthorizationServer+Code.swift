import PlatformKit
import SQLite

extension AuthorizationServer {
    /// The grant `authorization_code`: spends the code and makes its tokens in one transaction, so that it is redeemed once.
    ///
    /// A code that comes again ends what it brought. Source: RFC 6749 §4.1.2, §4.1.3.
    func redeemCode(_ call: ClientCall) throws -> PreparedTokens {
        let text = try call.form.require("code", for: "the grant “authorization_code”")
        let digest = Handle.digest(text)
        let found = try database.read { db in try codes.find(digest, in: db) }
        if let found, found.clientID == call.client.id {
            try require(found.proofKey, of: "authorization code", call)
        }
        let prepared = try world.change { turn in
            guard var code = try codes.find(digest, in: turn.db),
                let grant = try grants.find(code.grantID, in: turn.db)
            else { throw CodeRefusal.unknown }
            turn.concern(code.subjects)
            if code.clientID != call.client.id {
                throw CodeRefusal.foreign(clientID: code.clientID, caller: call.client.id)
            }
            if let spentAt = code.spentAt {
                throw turn.kept(CodeRefusal.reused(spentAt: spentAt, now: call.now)) {
                    try grants.end(.init(grantID: grant.id), .reused, at: call.now, in: $0.db)
                }
            }
            if let refusal = code.refusal(of: call, issuer: grant.issuer) { throw refusal }
            if let end = grant.end { throw CodeRefusal.ended(end) }
            code.spentAt = call.now
            try turn.update(code, .spentAt)
            return try prepare(call, grant, in: turn.db)
        }
        try noteAddress(of: call, redeeming: prepared.grant)
        return prepared
    }
}
