extension AuthorizationFault {
    /// `error` of the response. Source: RFC 6749 §4.1.2.1; OpenID Connect Core 1.0 §3.1.2.6.
    var code: String {
        switch self {
        case .clientUnknown: "invalid_client"
        case .pushedRequest, .pushedRequestSpent: "invalid_request_uri"
        case .responseTypeUnsupported: "unsupported_response_type"
        case .responseTypeNotAllowed, .grantNotAllowed: "unauthorized_client"
        case .requestObject: "request_not_supported"
        case .requestObjectInvalid: "invalid_request_object"
        case .authorizationDetails: "invalid_authorization_details"
        case .requestURI: "request_uri_not_supported"
        case .registration: "registration_not_supported"
        case .scope, .openIDMissing, .openIDRemoved: "invalid_scope"
        // RFC 8707 §2
        case .targetUnknown: "invalid_target"
        case .issue(.scopesDenied, _): "access_denied"
        case .issue: "server_error"
        case .loginRequired, .wrongUser: "login_required"
        case .consentRequired: "consent_required"
        case .acrUnreachable, .denied, .cancelled: "access_denied"
        default: "invalid_request"
        }
    }

    /// `error_description`: what an integrator reads in the address bar.
    var summary: String {
        switch self {
        case .tooLarge: "The request is too large"
        case .clientMissing: "client_id is missing"
        case .clientUnknown: "The client is unknown"
        case .clientRepeated, .redirectURIRepeated, .repeated: "A parameter came more than once"
        case .redirectURIMissing: "redirect_uri is missing"
        case .redirectURIUnregistered: "The redirect_uri is not registered"
        case .pushedRequest(_, .foreign): "The pushed request belongs to another client"
        case .pushedRequest: "The pushed request is unknown or expired"
        case .pushedRequestSpent: "The pushed request was used already"
        case .tooLong(let name, _): "\(name) is too long"
        case .responseTypeMissing: "response_type is missing"
        case .responseTypeUnsupported: "The response_type is not supported"
        case .responseTypeNotAllowed: "The client is not registered for this response_type"
        case .grantNotAllowed: "The client is not registered for this grant type"
        case .responseModeUnknown: "The response_mode is unknown"
        case .responseModeUnfit: "The response_mode does not fit the response_type"
        default: laterSummary
        }
    }

    private var laterSummary: String {
        switch self {
        case .requestObject: "Request objects are not supported"
        case .requestObjectInvalid: "The request object is not valid"
        case .authorizationDetails: "Rich authorization requests are not supported"
        case .proofKeyMalformed: "dpop_jkt is malformed"
        case .requestURI: "request_uri is supported for pushed requests only"
        case .registration: "Registration by parameter is not supported"
        case .challengeMissing: "Public clients must send a code_challenge"
        case .challengeMalformed: "code_challenge is malformed"
        case .challengeMethodUnknown: "The code_challenge_method is unknown"
        case .challengeMethodAlone: "code_challenge_method without code_challenge"
        case .nonceMissing: "nonce is missing"
        case .openIDMissing, .openIDRemoved: "An ID token needs the scope openid"
        case .issue(let refusal, _): refusal.summary
        case .promptUnknown: "The prompt is unknown"
        case .promptNotAlone: "prompt none must stand alone"
        case .maxAgeMalformed: "max_age is not a number of seconds"
        case .claimsMalformed: "claims is malformed"
        case .hintMalformed: "id_token_hint is not an ID token of this server"
        case .scope(let fault): fault.summary
        case .targetUnknown: "A resource is none of the client's audiences"
        case .loginRequired: "The user has to log in"
        case .consentRequired: "The user has to consent"
        case .wrongUser: "Another user is logged in"
        case .acrUnreachable: "The essential acr cannot be reached"
        default: "The user refused"
        }
    }
}
