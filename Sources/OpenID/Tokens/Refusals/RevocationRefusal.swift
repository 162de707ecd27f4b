import HTTP

/// Why a token is not revoked. Source: RFC 7009 §2.1, §2.2.1.
enum RevocationRefusal: OAuthRefusal, Equatable {
    case foreign(clientID: String, caller: String)

    var wire: OAuthWire {
        OAuthWire(.badRequest, "invalid_grant", "The token was issued to another client")
    }

    var explanation: String {
        switch self {
        case .foreign(let owner, let caller):
            "The token was issued to the client \"\(owner)\", and \"\(caller)\" wants to revoke it; it stays as it is."
        }
    }
}
