import HTTP
import PlatformKit

/// A request was not taken in. Source: RFC 9126 §2.3.
struct PushRefusal: OAuthRefusal {
    let wire: OAuthWire
    let explanation: String

    static func tooLarge(bytes: Int, limit: Int) -> Self {
        Self(
            wire: OAuthWire(.contentTooLarge, "invalid_request", "The request is too large"),
            explanation: "The body has \(bytes) bytes; \(limit) are the most.")
    }

    /// A reference cannot be pushed. Source: RFC 9126 §2.1.
    static var reference: Self {
        Self(
            wire: OAuthWire(.badRequest, "invalid_request", "A request_uri cannot be pushed"),
            explanation:
                "The pushed form has a request_uri; it must have the parameters themselves (RFC 9126 §2.1).")
    }

    /// What the authorization endpoint would say.
    static func authorization(_ fault: AuthorizationFault) -> Self {
        Self(
            wire: OAuthWire(fault.status, fault.code, fault.summary), explanation: fault.explanation)
    }
}
