import HTTP
import PlatformKit

/// A request was not taken in. Source: RFC 9126 §2.3.
enum PushRefusal: OAuthRefusal {
    case tooLarge(bytes: Int, limit: Int)
    case authorization(AuthorizationFault)

    var wire: OAuthWire {
        switch self {
        case .tooLarge: OAuthWire(.contentTooLarge, "invalid_request", "The request is too large")
        // RFC 9126 §2.1: a reference cannot be pushed.
        case .authorization(.requestURI):
            OAuthWire(.badRequest, "invalid_request", "A request_uri cannot be pushed")
        case .authorization(.tooLarge):
            OAuthWire(.contentTooLarge, "invalid_request", "The request is too large")
        case .authorization(let fault): OAuthWire(.badRequest, fault.code, fault.summary)
        }
    }

    var explanation: String {
        switch self {
        case .tooLarge(let bytes, let limit): "The body has \(bytes) bytes; \(limit) are the most."
        case .authorization(.requestURI):
            "The pushed form has a request_uri; it must have the parameters themselves (RFC 9126 §2.1)."
        case .authorization(let fault): fault.explanation
        }
    }
}
