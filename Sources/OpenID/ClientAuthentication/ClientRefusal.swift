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
