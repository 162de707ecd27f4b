import Essentials
import HTTP
import PlatformKit

/// Why nothing is issued although the request is right: somebody else had a say in it. No code and no refresh token is spent.
///
/// The standards name no error for it; `invalid_scope` for scopes that are not to be had, `access_denied` for the same at the
/// authorization endpoint, and `server_error` are the nearest. Source: RFC 6749 §4.1.2.1, §5.2.
package struct IssueRefusal: AuditedRefusal, Equatable {
    package let wire: OAuthWire
    package let event: AuditEvent.Kind?
    package let explanation: String
    /// Where a browser is sent in the client's place.
    package private(set) var page: String?

    /// `error_description`
    var summary: String { wire.description ?? "" }
    /// The scope is not to be had; otherwise it is not known whether it is.
    package var isDenial: Bool { wire.error == "invalid_scope" }
}

extension IssueRefusal {
    /// - Parameter page: where a browser is sent in the client's place.
    package static func scopesDenied(page: String?, explanation: String) -> Self {
        Self(
            wire: OAuthWire(.badRequest, "invalid_scope", "The scope is not to be had"),
            event: .scopeInvalid, explanation: explanation, page: page)
    }

    /// It could not be found out.
    package static func unavailable(explanation: String) -> Self {
        Self(
            wire: OAuthWire(
                .internalServerError, "server_error",
                "A service that decides about the scope or the token did not answer as it should"),
            event: nil, explanation: explanation)
    }

    /// While somebody was asked, something else happened.
    package static func outdated(clientID client: String) -> Self {
        Self(
            wire: OAuthWire(.internalServerError, "server_error", "Something changed during the request"),
            event: nil,
            explanation:
                "While others were asked about the tokens of the client “\(client)”, the grant or its scope became another, so "
                + "that the answer is not good for it. Nothing was spent: send the request again.")
    }
}
