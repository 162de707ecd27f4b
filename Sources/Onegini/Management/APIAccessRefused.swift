import Essentials
import HTTP
import OpenID
import PlatformKit

/// A call of a management API that its caller may not make.
///
/// Source: Token Server documentation, mobile authentication API v4 (401 in OAuth's shape, caching fields), device API v4 and API
/// clients API (403, and a table with `code` and `message`). Where the APIs print a `code` of their own, both shapes stand in
/// one body.
struct APIAccessRefused: OAuthRefusal {
    enum Reason: Sendable {
        /// The proof of who calls is absent or wrong.
        case credentials(any OAuthRefusal)
        /// A client of another kind.
        case kind(clientID: String, kind: String, String)
        /// Nothing but a `client_id` came.
        case unproven(clientID: String)
        case scope(clientID: String, has: ScopeList, lacks: String)
    }

    let reason: Reason
    /// `insufficient_permissions`, `forbidden` or `insufficient_scope`.
    let denial: String

    init(_ reason: Reason, denial: String) { (self.reason, self.denial) = (reason, denial) }

    var wire: OAuthWire {
        var wire = bareWire
        if denial != "insufficient_scope" { wire.members = codes(for: wire.status) }
        let hasChallenge = wire.headers.contains { $0.name.equalsIgnoringCase("WWW-Authenticate") }
        if wire.status == .unauthorized, !hasChallenge {
            wire.headers.append(("WWW-Authenticate", "Basic realm=\"onegini\""))
        }
        return wire
    }

    func response() throws -> Response {
        var response = wire.response
        response.headers["Content-Type"] = "application/json;charset=UTF-8"
        response.headers["Cache-Control"] = "no-cache, no-store, must-revalidate"
        return response
    }

    private var bareWire: OAuthWire {
        switch reason {
        case .credentials(let refusal): refusal.wire
        case .kind, .unproven:
            OAuthWire(.unauthorized, "invalid_client", "No API client has these credentials")
        case .scope(_, _, let scope): OAuthWire(.forbidden, denial, "The API client lacks the scope \(scope)")
        }
    }

    private func codes(for status: Status) -> [String: JSONValue] {
        switch status {
        case .unauthorized:
            [
                "code": "unauthorized", "message": "Provide valid credentials to get access to the API.",
                "details": [],
            ]
        case .forbidden where denial == "forbidden":
            ["code": "forbidden", "message": "Operation is not allowed for the current user.", "details": []]
        case .forbidden:
            [
                "code": .string(denial),
                "message":
                    "The API client used to authenticate the request does not allow operations on this API.",
                "details": [],
            ]
        default: ["code": "invalid_request", "message": "The request is not valid.", "details": []]
        }
    }

    var explanation: String {
        switch reason {
        case .credentials(let refusal):
            refusal.explanation
                + " Management APIs are called with the credentials of a client of kind “api”."
        case .kind(let id, let kind, let scope):
            "The client “\(id)” proved who it is, but it is of kind “\(kind)”: management APIs are for clients of kind "
                + "“api”. Add such a client under onegini.oauth.clients in the fixtures, with \"scope\": \"\(scope)\"."
        case .unproven(let id):
            "The request names the client “\(id)” and proves nothing. An API client needs a secret, sent as "
                + "Authorization: Basic, or a key pair; this one has token_endpoint_auth_method “none”."
        case .scope(let id, let has, let lacks):
            "The API client “\(id)” has the scope “\(has.text)” and lacks \(lacks), which this API asks for. In the "
                + "fixtures, give the client \"scope\": \"\(ScopeList(has.names + [lacks]).text)\"."
        }
    }
}
