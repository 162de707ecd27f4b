import HTTP
import OpenID
import PlatformKit

/// Refusals on the way from an app to a web page.
struct AppLinkRefusal: OAuthRefusal, Equatable {
    let wire: OAuthWire
    let explanation: String

    private init(_ wire: OAuthWire, _ explanation: String) {
        (self.wire, self.explanation) = (wire, explanation)
    }
}

extension AppLinkRefusal {
    static func disabled(application: String) -> Self {
        Self(
            .device(.forbidden, "single_sign_on_disabled", "Single sign-on is not available", 10023),
            "\(application) has no single_sign_on_targets in the fixtures, so nothing can be opened with its user signed in."
        )
    }

    static func targetUnknown(_ target: String, known: [String]) -> Self {
        Self(
            .device(.badRequest, "invalid_request", "The target is not registered", 10015),
            "“\(target.prefix(200))” is not a registered target; targets are compared as text: "
                + "\(known.joined(separator: ", ")).")
    }

    /// The reason is the end of a sentence.
    static func linkUnknown(reason: String) -> Self {
        Self(
            OAuthWire(.notFound, "not_found", "The link is not known"),
            "The link cannot be followed: \(reason).")
    }
}
