import HTTP

/// Why a token is not revoked. Source: RFC 7009 §2.1, §2.2.1.
struct RevocationRefusal: OAuthRefusal, Equatable {
    let wire: OAuthWire
    let explanation: String

    static func foreign(clientID owner: String, caller: String) -> Self {
        Self(
            wire: OAuthWire(.badRequest, "invalid_grant", "The token was issued to another client"),
            explanation:
                "The token was issued to the client “\(owner)”, but “\(caller)” tried to revoke it; it stays as it is."
        )
    }
}
