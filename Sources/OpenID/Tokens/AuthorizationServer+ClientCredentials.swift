import Essentials
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// The grant `client_credentials`: a token for the client itself, and nothing else. Source: RFC 6749 §4.4.
    ///
    /// All of a client's tokens for the same scope and audience grow from one grant.
    func grantClient(_ call: ClientCall) throws -> PreparedTokens {
        guard !call.client.isPublic else {
            throw TokenRefusal.publicClient(call.client.id, wanted: "the grant “client_credentials”")
        }
        let audience = try audience(of: call)
        let scope = try requestedScope(call)
        let wanted = try ruled(
            Grant(
                id: "", clientID: call.client.id, subject: nil, scope: scope,
                issuer: try issuer(call.request), type: GrantType.clientCredentials, audience: audience,
                createdAt: call.now), call)
        return try world.change { turn in
            try prepare(call, keptGrant(wanted, in: turn.db), in: turn.db)
        }
    }

    private func keptGrant(_ wanted: Grant, in db: Connection) throws -> Grant {
        var grant = wanted
        if let id = try grants.live(like: wanted, in: db) {
            grant.id = id
        } else {
            grant.id = uuid(for: "grant")
            try grants.insert(grant, in: db)
        }
        return grant
    }
}

extension ServerRecords<Grant> {
    /// The id of a grant of a client for itself that is good for the same.
    fileprivate func live(like grant: Grant, in db: Connection) throws -> String? {
        try db.value(
            String.self,
            """
            SELECT id FROM openid_grant WHERE server = \(server) AND client_id = \(grant.clientID)
                AND sub IS NULL AND type = \(grant.type) AND scope = \(grant.scope.text)
                AND issuer = \(grant.issuer) AND aud = \(JSONValue(grant.audience)) AND ended IS NULL
            """)
    }
}
