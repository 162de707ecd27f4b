import Essentials
import HTTP
import OpenID
import PlatformKit

/// Refusals of registrations without a browser.
struct CustomRegistrationRefusal: OAuthRefusal, Equatable {
    let wire: OAuthWire
    let explanation: String

    private init(_ wire: OAuthWire, _ explanation: String) {
        (self.wire, self.explanation) = (wire, explanation)
    }
}

extension CustomRegistrationRefusal {
    static func requestInvalid(_ reason: String) -> Self {
        Self(
            OAuthWire(.badRequest, "invalid_request", "The request is malformed"),
            reason)
    }

    /// - Parameter fault: the sentence of the refusal that it stands for.
    static func clientInvalid(_ reason: String) -> Self {
        Self(
            OAuthWire(.badRequest, "invalid_client", "The client could not be authenticated"),
            reason)
    }

    static func transactionInvalid(_ id: String, reason: String) -> Self {
        Self(
            OAuthWire(.badRequest, "invalid_transaction", "The transaction is not known"),
            "The transaction “\(id.prefix(60))” cannot be completed: \(reason).")
    }

    static func scopeInvalid(_ foreign: [String], allowed: String) -> Self {
        Self(
            OAuthWire(.badRequest, "invalid_scope", "A scope is not known or not allowed"),
            "The client may not ask for \(foreign.map { "“\($0.prefix(60))”" }.joined(separator: ", ")); its scopes are "
                + "“\(allowed)”.")
    }

    static func providerUnknown(_ id: String, known: [String]) -> Self {
        Self(
            OAuthWire(.notFound, "invalid_idp_identifier", "The identity provider is not known"),
            "There is no identity provider “\(id.prefix(60))”; configured are \(known.joined(separator: ", "))."
        )
    }

    static func providerDisabled(_ id: String) -> Self {
        Self(
            OAuthWire(.forbidden, "idp_disabled", "The identity provider is disabled"),
            "The identity provider \(id) has enabled: false in the fixtures.")
    }
}
