import Essentials
import HTTP

// Whom to answer is not known: a page tells, and nothing is redirected. Source: RFC 6749 §4.1.2.1.
extension AuthorizationFault {
    static func tooLarge(_ bytes: Int) -> Self {
        Self(
            "invalid_request", "The request is too large",
            "The request has \(bytes) bytes of parameters; at most \(AuthorizationParameters.byteLimit) are read.",
            status: .contentTooLarge)
    }

    static var clientMissing: Self {
        Self(
            "invalid_request", "client_id is missing",
            "The request has no client_id, so there is no client to answer.",
            audit: .clientInvalid)
    }

    static var clientRepeated: Self {
        Self(
            "invalid_request", "A parameter was sent more than once",
            "The parameter client_id was sent more than once; expected it once.",
            audit: .clientInvalid)
    }

    static func clientUnknown(_ id: String, nearest: String?) -> Self {
        Self(
            "invalid_client", "The client is unknown",
            "No client has the id “\(id)”" + (nearest.map { "; did you mean “\($0)”? Check" } ?? ": check")
                + " client_id against the fixtures and the registered clients, and that the request goes to the right world.",
            audit: .clientInvalid)
    }

    static func redirectURIMissing(registered: [String], isOpenID: Bool) -> Self {
        Self(
            "invalid_request", "redirect_uri is missing",
            "The request has no redirect_uri. " + (isOpenID ? "With the scope openid it must have one. " : "")
                + Self.registered(registered),
            audit: .redirectURIInvalid)
    }

    static var redirectURIRepeated: Self {
        Self(
            "invalid_request", "A parameter was sent more than once",
            "The parameter redirect_uri was sent more than once; expected it once.",
            audit: .redirectURIInvalid)
    }

    static func redirectURIUnregistered(_ uri: String, registered: [String]) -> Self {
        Self(
            "invalid_request", "The redirect_uri is not registered",
            Self.unregistered(uri, registered),
            audit: .redirectURIInvalid)
    }

    static func pushedRequest(_ uri: String, _ fault: PushedRequestFault) -> Self {
        Self("invalid_request_uri", fault.summary, "The request_uri is “\(uri)”. \(fault.explanation)")
    }

    static func pushedRequestSpent(_ uri: String) -> Self {
        Self(
            "invalid_request_uri", "The pushed request was used already",
            "The request_uri “\(uri)” has already been used for an authorization, perhaps in another tab; push the request again."
        )
    }
}

extension AuthorizationFault {
    private static func registered(_ uris: [String]) -> String {
        uris.isEmpty
            ? "The client has no redirect URI registered: give it some in redirect_uris."
            : "Registered are: \(uris.map { "“\($0)”" }.joined(separator: ", ")). "
                + "Send one of these, or add yours to the client's redirect_uris."
    }

    /// Tells what differs, where that is one of the usual slips.
    private static func unregistered(_ uri: String, _ registered: [String]) -> String {
        let hint = registered.compactMap { Self.slip(uri, $0) }.first ?? ""
        return
            "The redirect_uri “\(uri)” is not registered for this client; they are compared character by character. "
            + hint + Self.registered(registered)
    }

    private static func slip(_ uri: String, _ registered: String) -> String? {
        if uri.replacing("https://", with: "http://") == registered {
            return "It begins with https, the registered one with http. "
        }
        if uri == registered.replacing("https://", with: "http://") {
            return "It begins with http, the registered one with https. "
        }
        if uri + "/" == registered { return "It lacks the final slash. " }
        if uri == registered + "/" { return "It has one slash too many at the end. " }
        if uri.asciiLowercased == registered.asciiLowercased { return "Upper and lower case differ. " }
        if uri.replacing("://localhost", with: "://127.0.0.1") == registered
            || uri == registered.replacing("://localhost", with: "://127.0.0.1")
        {
            return "It spells localhost differently. "
        }
        if withoutPort(uri) == withoutPort(registered) {
            return
                "It has another port, which only loopback addresses such as http://127.0.0.1 may have (RFC 8252). "
        }
        if uri.hasPrefix(registered) { return "It is longer than the registered one. " }
        return nil
    }

    private static func withoutPort(_ uri: String) -> String {
        let parts = uri.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 2, parts[1].isEmpty else { return uri }
        let host = parts[2].split(separator: ":").first ?? ""
        return "\(parts[0])//\(host)/\(parts.count > 3 ? parts[3] : "")"
    }
}
