extension AuthorizationFault {
    /// What was expected, what came, and the likely cause.
    var explanation: String {
        switch self {
        case .tooLarge(let bytes):
            "The request has \(bytes) bytes of parameters; at most \(AuthorizationParameters.byteLimit) are read."
        case .clientMissing:
            "The request has no client_id. Nobody can be answered without it."
        case .clientRepeated: "The parameter client_id came more than once; expected it once."
        case .clientUnknown(let id, let nearest):
            "No client has the id «\(id)»" + (nearest.map { "; did you mean «\($0)»? Check" } ?? ": check")
                + " client_id against the fixtures and the registered clients, and that the request goes to the right world."
        case .redirectURIMissing(let registered, let isOpenID):
            "The request has no redirect_uri. " + (isOpenID ? "With the scope openid it must have one. " : "")
                + Self.registered(registered)
        case .redirectURIRepeated: "The parameter redirect_uri came more than once; expected it once."
        case .redirectURIUnregistered(let uri, let registered): Self.unregistered(uri, registered)
        case .pushedRequest(let uri, let fault): "The request_uri is «\(uri)». \(fault.explanation)"
        case .pushedRequestSpent(let uri):
            "The request_uri «\(uri)» has already led to an authorization, in another tab perhaps; push the request again."
        case .repeated(let names):
            "These parameters came more than once: \(names.joined(separator: ", ")). Expected each once (RFC 6749, section 3.1)."
        case .tooLong(let name, let bytes):
            "The parameter \(name) has \(bytes) bytes; at most \(AuthorizationParameters.valueLimit) are accepted."
        case .loginRequired(let reason):
            "The request says prompt=none, but the user would have to log in: \(reason.words)."
        case .consentRequired(let names):
            "The request says prompt=none, but the user has not yet allowed: \(names.joined(separator: ", "))."
        case .wrongUser(let asked, let found):
            "The request asks for the user «\(asked)» by id_token_hint or claims, but «\(found)» logged in."
        case .acrUnreachable(let asked, let reached):
            "The claims parameter makes acr essential with \(Self.list(asked)), but a login here reaches \(Self.list(reached)): "
                + "see acr_values among the browser settings in the fixtures."
        case .denied: "The user pressed the button that refuses the client's request."
        case .cancelled: "The user pressed Cancel on the login page."
        case .scope(let fault): fault.explanation
        case .targetUnknown(let names, let allowed):
            "The parameter resource asks for \(Self.list(names)), but the client's audiences are \(Self.list(allowed)): add to the "
                + "audiences of its metadata (RFC 8707 §2.1)."
        case .issue(let refusal, _): refusal.explanation
        case .openIDRemoved(let type):
            "The response_type «\(type.rawValue)» brings an ID token, and those who were asked about the scope removed openid from it."
        default: formExplanation
        }
    }

    private var formExplanation: String {
        switch self {
        case .responseTypeMissing: "The request has no response_type; expected response_type=code."
        case .responseTypeUnsupported(let text):
            "The response_type «\(text)» is not one of code, id_token, id_token token, token. Hybrid flows are not emulated."
        case .responseTypeNotAllowed(let text, let allowed):
            "The client asks for response_type «\(text)», but its response_types are \(Self.list(allowed))."
        case .grantNotAllowed(let grant, let allowed):
            "The client needs the grant type \(grant) for this, but its grant_types are \(Self.list(allowed))."
        case .responseModeUnknown(let mode):
            "The response_mode «\(mode)» is not one of query, fragment, form_post."
        case .responseModeUnfit(let type):
            "The response_type «\(type.rawValue)» brings tokens, which must not stand in a query: expected response_mode fragment "
                + "or form_post."
        case .requestObject:
            "The request has the parameter request; request objects (RFC 9101) are taken with \"request_objects\": true among the settings."
        case .requestObjectInvalid(let reason): "The request object was refused: \(reason)."
        case .authorizationDetails:
            "The request has authorization_details; rich authorization requests (RFC 9396) are not emulated: leave it out."
        case .proofKeyMalformed(let text):
            "The dpop_jkt «\(text.prefix(100))» is not the base64url of a SHA-256, 43 characters (RFC 9449, section 10)."
        case .requestURI(let uri):
            "The request_uri «\(uri)» is not one of a pushed request, which begins with "
                + "«\(PushedRequest.prefix)»; others are not emulated."
        case .registration:
            "The request has the parameter registration; self-issued providers are not emulated."
        case .nonceMissing(let type):
            "The request has no nonce; response_type «\(type.rawValue)» needs one (OpenID Connect Core, section 3.2.2.1)."
        case .openIDMissing(let type):
            "The response_type «\(type.rawValue)» brings an ID token, and the scope does not contain openid."
        case .promptUnknown(let names):
            "The prompt «\(names.joined(separator: " "))» is not one of none, login, consent, select_account, create."
        case .promptNotAlone(let names):
            "The prompt «\(names.joined(separator: " "))» has none beside others; expected it alone."
        case .maxAgeMalformed(let text):
            "The max_age «\(text)» is not a whole number of seconds from 0 upwards."
        case .claimsMalformed(let reason):
            "The parameter claims is not as OpenID Connect Core, section 5.5, has it: \(reason)."
        case .hintMalformed(let reason):
            "The id_token_hint is not an ID token of this server: \(reason)."
        default: challengeExplanation
        }
    }

    private var challengeExplanation: String {
        switch self {
        case .challengeMissing:
            "The client is public (token_endpoint_auth_method none) and sent no code_challenge; PKCE is required of it (RFC 9700, "
                + "section 2.1.1)."
        case .challengeMalformed(let text):
            "The code_challenge «\(text)» is not 43 to 128 letters, digits, «-», «.», «_» or «~» (RFC 7636, section 4.2); the usual "
                + "one is the base64url of a SHA-256, without padding."
        case .challengeMethodUnknown(let method):
            "The code_challenge_method «\(method)» is neither S256 nor plain."
        default: "The request has a code_challenge_method but no code_challenge."
        }
    }

    private static func registered(_ uris: [String]) -> String {
        uris.isEmpty ? "The client has no redirect URI registered." : "Registered are: \(list(uris))."
    }

    /// Tells what differs, where that is one of the usual slips.
    private static func unregistered(_ uri: String, _ registered: [String]) -> String {
        let hint = registered.compactMap { Self.slip(uri, $0) }.first ?? ""
        return
            "The redirect_uri «\(uri)» is not registered for this client; they are compared character by character. "
            + hint + Self.registered(registered)
    }

    private static func slip(_ uri: String, _ registered: String) -> String? {
        if uri + "/" == registered { return "It lacks the final slash. " }
        if uri == registered + "/" { return "It has a slash too many at the end. " }
        if uri.lowercased() == registered.lowercased() { return "It differs in upper and lower case. " }
        if uri.replacing("://localhost", with: "://127.0.0.1") == registered
            || uri == registered.replacing("://localhost", with: "://127.0.0.1")
        {
            return "It names localhost in another way. "
        }
        if withoutPort(uri) == withoutPort(registered) {
            return
                "It names another port, and only loopback addresses such as http://127.0.0.1 may do so (RFC 8252). "
        }
        if uri.hasPrefix(registered) { return "It goes on where the registered one ends. " }
        return nil
    }

    private static func withoutPort(_ uri: String) -> String {
        let parts = uri.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 2, parts[1].isEmpty else { return uri }
        let host = parts[2].split(separator: ":").first ?? ""
        return "\(parts[0])//\(host)/\(parts.count > 3 ? parts[3] : "")"
    }

    private static func list(_ texts: [String]) -> String {
        texts.isEmpty ? "none" : texts.map { "«\($0)»" }.joined(separator: ", ")
    }
}
