import Essentials
import HTTP
import PlatformKit

/// What can be wrong with a client's request whatever it asks for. Source: RFC 6749 §5.2.
typealias TokenRefusal = SubjectRefusal<ClientCall, AuditEvent.Kind>

extension TokenRefusal {
    static func contentTypeWrong(_ type: String?) -> Self {
        Self(
            OAuthWire(.badRequest, "invalid_request", "Expected application/x-www-form-urlencoded"),
            explanation: "Expected a form (Content-Type: application/x-www-form-urlencoded), found "
                + (type.map { "“\($0)”" } ?? "no Content-Type") + ". OAuth endpoints take no JSON.")
    }

    static func parametersInQuery(_ names: [String]) -> Self {
        Self(
            OAuthWire(.badRequest, "invalid_request", "Parameters belong in the body, not in the query"),
            explanation:
                "Expected the parameters in the body, found \(Self.list(names)) in the query, where they would end up in "
                + "logs (RFC 6749 §2.3.1, §3.2).")
    }

    static func repeated(_ name: String) -> Self {
        Self(
            OAuthWire(.badRequest, "invalid_request", "A parameter was sent more than once"),
            explanation: "The parameter “\(name)” was sent more than once; once is allowed (RFC 6749 §3.2).")
    }

    /// - Parameter purpose: what needs it, such as `the grant "password"`.
    static func missing(_ name: String, purpose: String) -> Self {
        Self(
            OAuthWire(.badRequest, "invalid_request", "The parameter \(name) is missing"),
            explanation: "The parameter “\(name)” is missing or empty; \(purpose) needs it.")
    }

    static func grantTypeUnsupported(_ type: String, supported: [String]) -> Self {
        Self(
            OAuthWire(.badRequest, "unsupported_grant_type"),
            explanation:
                "This server does not support the grant type “\(type)”, only \(Self.list(supported))."
        )
    }

    static func grantTypeNotAllowed(_ type: String, clientID client: String, allowed: [String]) -> Self {
        Self(
            OAuthWire(.badRequest, "unauthorized_client", "The client may not use this grant type"),
            explanation:
                "The client “\(client)” may not use the grant type “\(type)”, only \(Self.list(allowed)): add it to its "
                + "grant_types.")
    }

    /// It wants something that only a client with credentials gets.
    static func publicClient(_ client: String, wanted: String) -> Self {
        Self(
            OAuthWire(.badRequest, "unauthorized_client", "The client may not use this grant type"),
            explanation:
                "The client “\(client)” has no credentials (token_endpoint_auth_method none), so that anybody could be "
                + "it; \(wanted) is for clients that prove who they are (RFC 6749 §4.4).")
    }

    static func scope(_ fault: ScopeFault, clientID client: String) -> Self {
        Self(
            OAuthWire(.badRequest, "invalid_scope", fault.summary), event: .scopeInvalid,
            explanation: "Client “\(client)”: \(fault.explanation)")
    }

    static func targetUnknown(_ names: [String], clientID client: String, allowed: [String]) -> Self {
        Self(
            OAuthWire(.badRequest, "invalid_target", OAuthWire.described("Unknown target: ", names)),
            explanation: "The client “\(client)” may not have tokens for \(Self.list(names)), "
                + (allowed.isEmpty ? "since it has no audiences" : "only for \(Self.list(allowed))")
                + ": see the audiences of its metadata, and what the login asked for (RFC 8707 §2).")
    }

    static var authorizationDetails: Self {
        Self(
            OAuthWire(
                .badRequest, "invalid_authorization_details", "Rich authorization requests are not supported"),
            explanation:
                "The request has authorization_details; rich authorization requests (RFC 9396) are not emulated: leave it out."
        )
    }
}

extension TokenRefusal {
    static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.map { "“\($0)”" }.joined(separator: ", ")
    }
}
