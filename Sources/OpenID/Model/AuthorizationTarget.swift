import HTTP
import PlatformKit

/// Where an authorization response goes, and what each of them says.
struct AuthorizationTarget: Sendable, Equatable {
    let redirectURI: String
    let mode: ResponseMode
    let state: String?
    /// `iss`. Source: RFC 9207 §2.
    let issuer: String

    /// - Parameter members: what the response says besides `state` and `iss`.
    func response(_ members: [(name: String, value: String)]) -> Response {
        var members = members
        if let state { members.append(("state", state)) }
        members.append(("iss", issuer))
        switch mode {
        case .query: return .seeOther(Self.appending(members, to: redirectURI))
        case .fragment: return .seeOther(redirectURI + "#" + Form.encode(members))
        case .formPost: return FormPostPage.make(redirectURI, members).response
        }
    }

    /// Behind the query that the URI has of its own, before a fragment. Source: RFC 6749 §3.1.2.
    static func appending(_ members: [(name: String, value: String)], to uri: String) -> String {
        if members.isEmpty { return uri }
        let (base, fragment) = (uri.prefix { $0 != "#" }, uri.drop { $0 != "#" })
        let separator = !base.contains("?") ? "?" : base.hasSuffix("?") || base.hasSuffix("&") ? "" : "&"
        return base + separator + Form.encode(members) + fragment
    }
}

extension Response {
    /// 303: the next request is a GET, whatever this one was. Source: RFC 9700 §4.12.
    static func seeOther(_ location: String) -> Response {
        var response = Response(status: .seeOther)
        for (name, value) in Page.fields { response.headers[name] = value }
        response.headers["Location"] = location
        return response
    }
}
