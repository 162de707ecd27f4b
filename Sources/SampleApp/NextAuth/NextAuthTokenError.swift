import HTTP
import OpenID

/// Every refusal of the token service, in OAuth's own shape.
enum NextAuthTokenError: OAuthRefusal, Equatable {
    case grantTypeUnsupported(String?)
    case nonceMissing
    /// Stale, stopped, or never one.
    case nobodyLoggedIn
    case userless(accountID: Int?)
    case serverSilent(String)
    case serverConfused(String)

    /// Source: RFC 6749 §5.2.
    var wire: OAuthWire {
        switch self {
        case .grantTypeUnsupported:
            OAuthWire(.badRequest, "unsupported_grant_type", "The grant type is \(SampleApp.webNonceGrant)")
        case .nonceMissing: OAuthWire(.badRequest, "invalid_request", "The parameter webnonce is missing")
        case .nobodyLoggedIn, .userless:
            OAuthWire(.badRequest, "invalid_grant", "The web nonce is not good")
        case .serverSilent, .serverConfused:
            OAuthWire(.badGateway, "server_error", "nextAuth could not be asked")
        }
    }

    var explanation: String {
        switch self {
        case .grantTypeUnsupported(let type):
            "Expected grant_type=\(SampleApp.webNonceGrant), found \(type.map { "“\($0.prefix(60))”" } ?? "none")."
        case .nonceMissing:
            "The form lacks webnonce: what AppLogin's getWebNonce() gives an app while it is logged in."
        case .nobodyLoggedIn:
            "The nextAuth Server says that no user is logged in at this web nonce: the AppLogin was stopped, missed its ping, or never "
                + "existed. A nonce is valid as long as its AppLogin; the next one has another."
        case .userless(let accountID):
            "The account \(accountID.map { "\($0) " } ?? "")that is logged in belongs to no user: enrol with a userid, or call registeruser."
        case .serverSilent(let reason):
            "The nextAuth Server did not answer: \(reason). Check nextauth_tokens.server in the fixtures, and that this machine can reach it."
        case .serverConfused(let reason):
            "\(reason) Check nextauth_tokens.server_id and api_key in the fixtures."
        }
    }
}
