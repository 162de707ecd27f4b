import Essentials
import HTTP
import PlatformKit

/// Why nothing is issued although the request is right: somebody else had a say in it. No code and no refresh token is spent.
///
/// The standards name no error for it; `invalid_scope` for scopes that are not to be had, `access_denied` for the same at the
/// authorization endpoint, and `server_error` are the nearest. Source: RFC 6749 §4.1.2.1, §5.2.
package enum IssueRefusal: AuditedRefusal, Equatable {
    /// - Parameter page: where a browser is sent in the client's place.
    case scopesDenied(page: String?, explanation: String)
    /// It could not be found out.
    case unavailable(explanation: String)
    /// While somebody was asked, something else happened.
    case outdated(clientID: String)

    package var wire: OAuthWire {
        switch self {
        case .scopesDenied: OAuthWire(.badRequest, "invalid_scope", summary)
        case .unavailable, .outdated: OAuthWire(.internalServerError, "server_error", summary)
        }
    }

    /// `error_description`
    var summary: String {
        switch self {
        case .scopesDenied: "The scope is not to be had"
        case .unavailable: "A service that decides about the scope or the token did not answer as it should"
        case .outdated: "Something changed during the request"
        }
    }

    var audit: AuditEvent.Kind? {
        if case .scopesDenied = self { return .scopeInvalid }
        return nil
    }

    package var explanation: String {
        switch self {
        case .scopesDenied(_, let explanation), .unavailable(let explanation): explanation
        case .outdated(let client):
            "While others were asked about the tokens of the client \"\(client)\", the grant or its scope became another, so "
                + "that the answer is not good for it. Nothing was spent: send the request again."
        }
    }
}
