import HTTP
import OpenID
import PlatformKit

/// Refusals on the way from an app to a web page.
enum AppLinkError: OAuthRefusal, Equatable {
    case disabled(application: String)
    case targetUnknown(String, known: [String])
    /// The reason is the end of a sentence.
    case linkUnknown(reason: String)

    /// Source: the device protocol.
    var wire: OAuthWire {
        switch self {
        case .disabled:
            .device(.forbidden, "single_sign_on_disabled", "Single sign-on is not available", 10023)
        case .targetUnknown: .device(.badRequest, "invalid_request", "The target is not registered", 10015)
        case .linkUnknown: OAuthWire(.notFound, "not_found", "The link is not known")
        }
    }

    var explanation: String {
        switch self {
        case .disabled(let application):
            "\(application) has no single_sign_on_targets in the fixtures, so nothing can be opened with its user signed in."
        case .targetUnknown(let target, let known):
            "\"\(target.prefix(200))\" is none of the registered targets, which are compared as text: "
                + "\(known.joined(separator: ", "))."
        case .linkUnknown(let reason): "The link cannot be followed: \(reason)."
        }
    }
}
