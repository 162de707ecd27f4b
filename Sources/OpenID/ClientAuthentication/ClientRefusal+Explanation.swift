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
        case .schemeUnknown, .basicMalformed: headerSentence
        case .unknown, .methodWrong, .secretless, .secretWrong: clientSentence
        case .assertion(let fault): "The client assertion\(whose) was refused: \(fault.sentence)"
        }
    }

    private var name: String { clientID.map { " «\($0)»" } ?? "" }

    private var whose: String { clientID.map { " of «\($0)»" } ?? "" }

    private var headerSentence: String {
        switch reason {
        case .schemeUnknown(let scheme, let allowsBearer):
            "Clients prove themselves with Authorization: Basic\(allowsBearer ? " or Bearer" : "") or in the form, not with "
                + "Authorization: \(scheme.isEmpty ? "without a scheme" : scheme)."
        case .basicMalformed(let fault):
            "What follows Authorization: Basic \(fault); expected base64(client_id:client_secret)."
        default: ""
        }
    }

    private var clientSentence: String {
        switch reason {
        case .unknown(let nearest):
            "There is no client «\(clientID ?? "")» in this world"
                + (nearest.map { "; did you mean «\($0)»?" } ?? "; look at the clients in the fixtures.")
        case .methodWrong(let used, .none):
            "The client\(name) is public (token_endpoint_auth_method none) and came with \(used.rawValue): "
                + "it sends client_id alone, without a secret."
        case .methodWrong(let used, let registered):
            "The client\(name) is registered with token_endpoint_auth_method \(registered.rawValue) and came with "
                + (used == .none ? "client_id alone" : used.rawValue) + ": \(registered.advice)."
        case .secretless: "The client\(name) has no secret in the fixtures, so none can be right."
        case .secretWrong(let slip):
            "The secret of the client\(name) is wrong" + (slip.map { ": \($0.words)." } ?? ".")
        default: ""
        }
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
