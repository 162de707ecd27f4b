import Essentials
import HTTP
import PlatformKit

/// A client did not prove who it is. Source: RFC 6749 §5.2.
struct ClientRefusal: OAuthRefusal, Equatable {
    enum Reason: Equatable {
        // The request contradicts itself.
        case repeated(String)
        case twoMethods(String, String)
        case namesDiffer(header: String, body: String)
        case assertionTypeWrong(String?)
        case assertionMissing

        // The client is not known, or not who it says.
        case nothing
        case nameMissing
        case schemeUnknown(String, allowsBearer: Bool)
        case basicMalformed(String)
        case unknown(nearest: String?)
        case methodWrong(used: ClientAuthenticationMethod, registered: ClientAuthenticationMethod)
        case secretless
        case secretWrong(SecretSlip?)
        case assertion(AssertionFault)
    }

    let reason: Reason
    /// The scheme of the `Authorization` field, where it was used.
    var scheme: String?
    var clientID: String?

    init(_ reason: Reason, scheme: String? = nil, clientID: String? = nil) {
        (self.reason, self.scheme, self.clientID) = (reason, scheme, clientID)
    }

    var wire: OAuthWire {
        switch reason {
        case .repeated(let name): OAuthWire(.badRequest, "invalid_request", "\(name) is there twice")
        case .twoMethods:
            OAuthWire(.badRequest, "invalid_request", "More than one way of client authentication")
        case .namesDiffer: OAuthWire(.badRequest, "invalid_request", "Two different client ids")
        case .assertionTypeWrong: OAuthWire(.badRequest, "invalid_request", "client_assertion_type is wrong")
        case .assertionMissing: OAuthWire(.badRequest, "invalid_request", "client_assertion is missing")
        default:
            OAuthWire(.unauthorized, "invalid_client", "Client authentication failed", headers: challenge)
        }
    }

    /// Source: RFC 6749 §5.2: only who used the field gets a challenge for it. RFC 7617 §2.
    private var challenge: [(name: String, value: String)] {
        guard let scheme else { return [] }
        let isBearer = scheme.equalsIgnoringCase("Bearer")
        return [("WWW-Authenticate", (isBearer ? "Bearer" : "Basic") + " realm=\"OAuth\"")]
    }
}

extension ClientRefusal {
    var explanation: String {
        switch reason {
        case .repeated(let name): "The request has \(name) twice; it may come once (RFC 6749 §3.2)."
        case .twoMethods(let one, let other):
            "The client proves itself twice, by \(one) and by \(other); RFC 6749 §2.3 allows one way in a request."
        case .namesDiffer(let header, let body):
            "The Authorization field comes from the client «\(header)», but client_id in the form is «\(body)»."
        case .assertionTypeWrong(let type):
            "Expected client_assertion_type=\(ClientCredentials.assertionType), found \(type.map { "«\($0)»" } ?? "none")."
        case .assertionMissing: "There is a client_assertion_type, but no client_assertion."
        case .nothing:
            "The request does not say which client sent it: no Authorization field, no client_id in the form. "
                + "A form needs Content-Type: application/x-www-form-urlencoded."
        case .nameMissing: "The form has a client_secret, but no client_id."
        case .schemeUnknown(let scheme, let allowsBearer):
            "Clients prove themselves with Authorization: Basic\(allowsBearer ? " or Bearer" : "") or in the form, not with "
                + "Authorization: \(scheme.isEmpty ? "without a scheme" : scheme)."
        case .basicMalformed(let fault):
            "What follows Authorization: Basic \(fault); expected base64(client_id:client_secret)."
        case .unknown(let nearest):
            "There is no client «\(clientID ?? "")» in this world"
                + (nearest.map { "; did you mean «\($0)»?" } ?? "; look at the clients in the fixtures.")
        case .methodWrong(let used, let registered): sentence(used, registered)
        case .secretless: "The client\(name) has no secret in the fixtures, so none can be right."
        case .secretWrong(let slip):
            "The secret of the client\(name) is wrong" + (slip.map { ": \($0.words)." } ?? ".")
        case .assertion(let fault): "The client assertion\(whose) was refused: \(fault.sentence)"
        }
    }

    private var name: String { clientID.map { " «\($0)»" } ?? "" }

    private var whose: String { clientID.map { " of «\($0)»" } ?? "" }

    private func sentence(_ used: ClientAuthenticationMethod, _ registered: ClientAuthenticationMethod)
        -> String
    {
        if registered == .none {
            return
                "The client\(name) is public (token_endpoint_auth_method none) and came with \(used.rawValue): "
                + "it sends client_id alone, without a secret."
        }
        return
            "The client\(name) is registered with token_endpoint_auth_method \(registered.rawValue) and came with "
            + (used == .none ? "client_id alone" : used.rawValue) + ": \(registered.advice)."
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
