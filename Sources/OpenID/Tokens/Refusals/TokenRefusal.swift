import Essentials
import HTTP

/// What can be wrong with a client's request whatever it asks for. Source: RFC 6749 §5.2.
enum TokenRefusal: AuditedRefusal, Equatable {
    case contentTypeWrong(String?)
    case parametersInQuery([String])
    case repeated(String)
    /// - Parameter purpose: what needs it, such as `the grant "password"`.
    case missing(String, purpose: String)
    case grantTypeUnsupported(String)
    case grantTypeNotAllowed(String, clientID: String, allowed: [String])
    /// It wants something that only a client with credentials gets.
    case publicClient(String, wanted: String)
    case scope(ScopeFault, clientID: String)
    case targetUnknown([String], clientID: String, allowed: [String])
    case authorizationDetails

    var wire: OAuthWire {
        switch self {
        case .contentTypeWrong:
            OAuthWire(.badRequest, "invalid_request", "Expected application/x-www-form-urlencoded")
        case .parametersInQuery:
            OAuthWire(.badRequest, "invalid_request", "Parameters belong in the body, not in the query")
        case .repeated: OAuthWire(.badRequest, "invalid_request", "A parameter was sent more than once")
        case .missing(let name, _):
            OAuthWire(.badRequest, "invalid_request", "The parameter \(name) is missing")
        case .grantTypeUnsupported: OAuthWire(.badRequest, "unsupported_grant_type")
        case .grantTypeNotAllowed, .publicClient:
            OAuthWire(.badRequest, "unauthorized_client", "The client may not use this grant type")
        case .scope(let fault, _): OAuthWire(.badRequest, "invalid_scope", fault.summary)
        // RFC 8693 §2.2.2, RFC 8707 §2
        case .targetUnknown(let names, _, _):
            OAuthWire(.badRequest, "invalid_target", OAuthWire.described("Unknown target: ", names))
        // RFC 9396 §5
        case .authorizationDetails:
            OAuthWire(
                .badRequest, "invalid_authorization_details", "Rich authorization requests are not supported")
        }
    }

    var audit: AuditEvent.Kind? {
        if case .scope = self { return .scopeInvalid }
        return nil
    }
}

extension TokenRefusal {
    var explanation: String {
        switch self {
        case .contentTypeWrong(let type):
            "Expected a form (Content-Type: application/x-www-form-urlencoded), found "
                + (type.map { "\"\($0)\"" } ?? "no Content-Type") + ". OAuth endpoints take no JSON."
        case .parametersInQuery(let names):
            "Expected the parameters in the body, found \(Self.list(names)) in the query, where they would end up in "
                + "logs (RFC 6749 §2.3.1, §3.2)."
        case .repeated(let name):
            "The parameter \"\(name)\" came more than once; once is allowed (RFC 6749 §3.2)."
        case .missing(let name, let purpose):
            "The parameter \"\(name)\" is missing or empty; \(purpose) needs it."
        case .grantTypeUnsupported(let type):
            "This server knows no grant type \"\(type)\"; it knows \(Self.list(GrantType.atTokenEndpoint))."
        case .grantTypeNotAllowed(let type, let client, let allowed):
            "The client \"\(client)\" may not use the grant type \"\(type)\", only \(Self.list(allowed)): add it to its "
                + "grant_types."
        case .publicClient(let client, let wanted):
            "The client \"\(client)\" has no credentials (token_endpoint_auth_method none), so that anybody could be "
                + "it; \(wanted) is for clients that prove who they are (RFC 6749 §4.4)."
        case .scope(let fault, let client): "Client \"\(client)\": \(fault.explanation)"
        case .targetUnknown(let names, let client, let allowed):
            "The client \"\(client)\" may not have tokens for \(Self.list(names)), "
                + (allowed.isEmpty ? "since it has no audiences" : "only for \(Self.list(allowed))")
                + ": see the audiences of its metadata, and what the login asked for (RFC 8707 §2)."
        case .authorizationDetails:
            "The request has authorization_details; rich authorization requests (RFC 9396) are not emulated: leave it out."
        }
    }

    static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.map { "\"\($0)\"" }.joined(separator: ", ")
    }
}
