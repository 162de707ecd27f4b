import Essentials
import HTTP
import OpenID
import PlatformKit

/// Refusals of registrations without a browser.
enum CustomRegistrationError: OAuthRefusal, Equatable {
    case requestInvalid(String)
    /// - Parameter fault: the sentence of the refusal that it stands for.
    case clientInvalid(String)
    case transactionInvalid(String, reason: String)
    case scopeInvalid([String], allowed: String)
    case providerUnknown(String, known: [String])
    case providerDisabled(String)

    /// Source: Token Server documentation, API reference «custom registration» v1 and v2.
    var wire: OAuthWire {
        switch self {
        case .requestInvalid: OAuthWire(.badRequest, "invalid_request", "The request is malformed")
        case .clientInvalid: OAuthWire(.badRequest, "invalid_client", "The client could not be authenticated")
        case .transactionInvalid:
            OAuthWire(.badRequest, "invalid_transaction", "The transaction is not known")
        case .scopeInvalid: OAuthWire(.badRequest, "invalid_scope", "A scope is not known or not allowed")
        case .providerUnknown:
            OAuthWire(.notFound, "invalid_idp_identifier", "The identity provider is not known")
        case .providerDisabled: OAuthWire(.forbidden, "idp_disabled", "The identity provider is disabled")
        }
    }

    var explanation: String {
        switch self {
        case .requestInvalid(let reason), .clientInvalid(let reason): reason
        case .transactionInvalid(let id, let reason):
            "The transaction \"\(id.prefix(60))\" cannot be completed: \(reason)."
        case .scopeInvalid(let foreign, let allowed):
            "The client may not ask for \(foreign.map { "\"\($0.prefix(60))\"" }.joined(separator: ", ")); its scopes are "
                + "\"\(allowed)\"."
        case .providerUnknown(let id, let known):
            "There is no identity provider \"\(id.prefix(60))\"; configured are \(known.joined(separator: ", "))."
        case .providerDisabled(let id): "The identity provider \(id) has enabled: false in the fixtures."
        }
    }
}
