import Essentials
import HTTP
import PlatformKit

/// A client did not prove who it is. Source: RFC 6749 §5.2.
struct ClientRefusal: OAuthRefusal, Equatable {
    let wire: OAuthWire
    /// Who the client says it is, as far as that was found out.
    let clientID: String?
    let explanation: String
    /// What is wrong with its assertion, where it sent one.
    private(set) var fault: AssertionFault?
    /// The name that no client has.
    private(set) var unknownClient: String?
}

// The request contradicts itself.
extension ClientRefusal {
    private init(_ description: String, clientID: String? = nil, _ explanation: String) {
        self.init(
            wire: OAuthWire(.badRequest, "invalid_request", description), clientID: clientID,
            explanation: explanation)
    }

    static func repeated(_ name: String) -> Self {
        Self("\(name) is there twice", "The request has \(name) twice; it may come once (RFC 6749 §3.2).")
    }

    static func twoMethods(_ one: String, _ other: String, clientID: String?) -> Self {
        Self(
            "More than one way of client authentication", clientID: clientID,
            "The client proves itself twice, by \(one) and by \(other); RFC 6749 §2.3 allows one way in a request."
        )
    }

    static func namesDiffer(header: String, body: String) -> Self {
        Self(
            "Two different client ids",
            "The Authorization field comes from the client “\(header)”, but client_id in the form is “\(body)”."
        )
    }

    static func assertionTypeWrong(_ type: String?, expected: String, clientID: String?) -> Self {
        Self(
            "client_assertion_type is wrong", clientID: clientID,
            "Expected client_assertion_type=\(expected), found \(type.map { "“\($0)”" } ?? "none")."
        )
    }

    static func assertionMissing(clientID: String?) -> Self {
        Self(
            "client_assertion is missing", clientID: clientID,
            "There is a client_assertion_type, but no client_assertion.")
    }
}

// The client is not known, or not who it says.
extension ClientRefusal {
    /// - Parameter scheme: that of the `Authorization` field, where it was used: only who used the field gets a challenge for it.
    ///   Source: RFC 6749 §5.2; RFC 7617 §2.
    private init(scheme: String?, clientID: String?, _ explanation: String) {
        let challenge = scheme.map { $0.equalsIgnoringCase("Bearer") ? "Bearer" : "Basic" }
        self.init(
            wire: OAuthWire(
                .unauthorized, "invalid_client", "Client authentication failed",
                headers: challenge.map { [("WWW-Authenticate", $0 + " realm=\"OAuth\"")] } ?? []),
            clientID: clientID, explanation: explanation)
    }

    static var nothing: Self {
        Self(
            scheme: nil, clientID: nil,
            "The request does not say which client sent it: no Authorization field, no client_id in the form. "
                + "A form needs Content-Type: application/x-www-form-urlencoded.")
    }

    static var nameMissing: Self {
        Self(scheme: nil, clientID: nil, "The form has a client_secret, but no client_id.")
    }

    static func schemeUnknown(_ scheme: String, allowsBearer: Bool) -> Self {
        Self(
            scheme: scheme, clientID: nil,
            "Clients prove themselves with Authorization: Basic\(allowsBearer ? " or Bearer" : "") or in the form, not with "
                + "Authorization: \(scheme.isEmpty ? "without a scheme" : scheme).")
    }

    /// - Parameter fault: what follows “What follows Authorization: Basic”.
    static func basicMalformed(_ fault: String) -> Self {
        Self(
            scheme: "Basic", clientID: nil,
            "What follows Authorization: Basic \(fault); expected base64(client_id:client_secret).")
    }

    static func unknown(_ id: String, nearest: String?, scheme: String?) -> Self {
        var refusal = Self(
            scheme: scheme, clientID: id,
            "There is no client “\(id)” in this world"
                + (nearest.map { "; did you mean “\($0)”?" } ?? "; look at the clients in the fixtures."))
        refusal.unknownClient = id
        return refusal
    }

    static func methodWrong(_ client: Client, used: ClientAuthenticationMethod, scheme: String?) -> Self {
        let registered = client.authentication
        let explanation =
            registered == .none
            ? "The client “\(client.id)” is public (token_endpoint_auth_method none) and came with \(used.rawValue): "
                + "it sends client_id alone, without a secret."
            : "The client “\(client.id)” is registered with token_endpoint_auth_method \(registered.rawValue) and came with "
                + (used == .none ? "client_id alone" : used.rawValue) + ": \(registered.advice)."
        return Self(scheme: scheme, clientID: client.id, explanation)
    }

    /// By the profile under which the whole server stands.
    static func methodForbidden(
        _ id: String, used: ClientAuthenticationMethod, allowed: [ClientAuthenticationMethod],
        scheme: String?
    ) -> Self {
        Self(
            scheme: scheme, clientID: id,
            "The client “\(id)” came with \(used == .none ? "client_id alone" : used.rawValue); by the profile among the settings of "
                + "this server every client uses \(allowed.map(\.rawValue).joined(separator: ", ")) (FAPI 2.0 Security Profile §5.3.2.1)."
        )
    }

    static func secretless(_ client: Client, scheme: String?) -> Self {
        Self(
            scheme: scheme, clientID: client.id,
            "The client “\(client.id)” has no secret in the fixtures, so none can be right.")
    }

    /// - Parameter slip: what looks as if it went wrong.
    static func secretWrong(_ client: Client, _ slip: SecretSlip?, scheme: String?) -> Self {
        Self(
            scheme: scheme, clientID: client.id,
            "The secret of the client “\(client.id)” is wrong" + (slip.map { ": \($0.words)." } ?? "."))
    }

    static func assertion(_ fault: AssertionFault, clientID: String?, scheme: String?) -> Self {
        let whose = clientID.map { " of “\($0)”" } ?? ""
        var refusal = Self(
            scheme: scheme, clientID: clientID, "The client assertion\(whose) was refused: \(fault.sentence)")
        refusal.fault = fault
        return refusal
    }
}

extension ClientAuthenticationMethod {
    /// What a client does that is registered with it.
    fileprivate var advice: String {
        switch self {
        case .basic: "send id and secret as Authorization: Basic, or register it with client_secret_post"
        case .post: "send client_id and client_secret in the form, or register it with client_secret_basic"
        case .privateKeyJWT: "send a client_assertion that its key signed (RFC 7523)"
        case .none: "send client_id alone"
        }
    }
}
