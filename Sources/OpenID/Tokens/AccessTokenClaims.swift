import Essentials

/// Which claims an access token may get from others. Sources: RFC 7519 §4.1, RFC 7662 §2.2, RFC 8693 §4, RFC 9068 §2.2, OpenID
/// Connect Core 1.0 §2, RFC 7800 §3.1.
package enum AccessTokenClaims {
    /// What the protocols, or this server itself, say with a claim of this name.
    package static let reserved: Set<String> = [
        "act", "active", "acr", "amr", "at_hash", "aud", "auth_time", "azp", "c_hash", "cid", "client_id",
        "cnf", "exp", "iat", "iss", "jti", "may_act", "nbf", "nonce", "scope", "scp", "sid", "sub",
        "token_type", "username", "ver",
    ]

    static func permitted(_ claims: [String: JSONValue]) -> [String: JSONValue] {
        claims.filter { !reserved.contains($0.key) }
    }
}
