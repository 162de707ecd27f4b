import HTTP

/// What is wrong with an authorization request, or why its user does not get what it asks for.
struct AuthorizationFault: Error, Equatable {
    /// `error` of the response. Source: RFC 6749 §4.1.2.1; OpenID Connect Core 1.0 §3.1.2.6.
    let code: String
    /// `error_description`: what an integrator reads in the address bar.
    let summary: String
    /// What was expected, what came, and the likely cause.
    let explanation: String
    let status: Status
    private(set) var audit: AuditEvent.Kind
    /// Where the browser is sent in the client's place.
    private(set) var page: String?

    /// It is about a request_uri that is none of a pushed request.
    var isReference: Bool { code == "request_uri_not_supported" }

    init(
        _ code: String, _ summary: String, _ explanation: String, status: Status = .badRequest,
        audit: AuditEvent.Kind = .authorizationInvalid
    ) {
        (self.code, self.summary, self.explanation) = (code, summary, explanation)
        (self.status, self.audit) = (status, audit)
    }
}

extension AuthorizationFault {
    // MARK: - The client hears of it at its redirect URI

    static func repeated(_ names: [String]) -> Self {
        Self(
            "invalid_request", "A parameter was sent more than once",
            "These parameters were sent more than once: \(names.joined(separator: ", ")). Expected each once (RFC 6749, section 3.1)."
        )
    }

    static func tooLong(_ name: String, _ bytes: Int) -> Self {
        Self(
            "invalid_request", "\(name) is too long",
            "The parameter \(name) has \(bytes) bytes; at most \(AuthorizationParameters.valueLimit) are accepted."
        )
    }

    static var responseTypeMissing: Self {
        Self(
            "invalid_request", "response_type is missing",
            "The request has no response_type; expected response_type=code.")
    }

    static func responseTypeUnsupported(_ text: String) -> Self {
        Self(
            "unsupported_response_type", "The response_type is not supported",
            "The response_type “\(text)” is not one of code, id_token, id_token token, token. Hybrid flows are not emulated."
        )
    }

    static func responseTypeNotAllowed(_ text: String, allowed: [String]) -> Self {
        Self(
            "unauthorized_client", "The client is not registered for this response_type",
            "The client asks for response_type “\(text)”, but its response_types are \(Self.list(allowed)).")
    }

    static func grantNotAllowed(_ grant: String, allowed: [String]) -> Self {
        Self(
            "unauthorized_client", "The client is not registered for this grant type",
            "The client needs the grant type \(grant) for this, but its grant_types are \(Self.list(allowed))."
        )
    }

    static func responseModeUnknown(_ mode: String) -> Self {
        Self(
            "invalid_request", "The response_mode is unknown",
            "The response_mode “\(mode)” is not one of query, fragment, form_post.")
    }

    static func responseModeUnfit(_ type: ResponseType) -> Self {
        Self(
            "invalid_request", "The response_mode does not fit the response_type",
            "The response_type “\(type.rawValue)” returns tokens, which must not be in a query: expected response_mode fragment "
                + "or form_post.")
    }

    static var requestObject: Self {
        Self(
            "request_not_supported", "Request objects are not supported",
            "The request has the parameter request; request objects (RFC 9101) are taken with \"request_objects\": true among the settings."
        )
    }

    static func requestObjectInvalid(_ reason: String) -> Self {
        Self(
            "invalid_request_object", "The request object is not valid",
            "The request object was refused: \(reason).")
    }

    static var authorizationDetails: Self {
        Self(
            "invalid_authorization_details", "Rich authorization requests are not supported",
            "The request has authorization_details; rich authorization requests (RFC 9396) are not emulated: leave it out."
        )
    }

    static func proofKeyMalformed(_ text: String) -> Self {
        Self(
            "invalid_request", "dpop_jkt is malformed",
            "The dpop_jkt “\(text.prefix(100))” is not the base64url of a SHA-256, 43 characters (RFC 9449, section 10)."
        )
    }

    static func requestURI(_ uri: String) -> Self {
        Self(
            "request_uri_not_supported", "request_uri is supported for pushed requests only",
            "The request_uri “\(uri)” is not one of a pushed request, which begins with "
                + "“\(PushedRequest.prefix)”; others are not emulated.")
    }

    static var registration: Self {
        Self(
            "registration_not_supported", "Registration by parameter is not supported",
            "The request has the parameter registration; self-issued providers are not emulated.")
    }

    static var challengeMissing: Self {
        Self(
            "invalid_request", "Public clients must send a code_challenge",
            "The client is public (token_endpoint_auth_method none) and sent no code_challenge; PKCE is required of it (RFC 9700, "
                + "section 2.1.1).")
    }

    static func challengeMalformed(_ text: String) -> Self {
        Self(
            "invalid_request", "code_challenge is malformed",
            "The code_challenge “\(text)” is not 43 to 128 letters, digits, “-”, “.”, “_” or “~” (RFC 7636, section 4.2); the usual "
                + "one is the base64url of a SHA-256, without padding.")
    }

    static func challengeMethodUnknown(_ method: String) -> Self {
        Self(
            "invalid_request", "The code_challenge_method is unknown",
            "The code_challenge_method “\(method)” is neither S256 nor plain.")
    }

    static var challengeMethodAlone: Self {
        Self(
            "invalid_request", "code_challenge_method without code_challenge",
            "The request has a code_challenge_method but no code_challenge.")
    }

    static func nonceMissing(_ type: ResponseType) -> Self {
        Self(
            "invalid_request", "nonce is missing",
            "The request has no nonce; response_type “\(type.rawValue)” needs one (OpenID Connect Core, section 3.2.2.1)."
        )
    }

    static func openIDMissing(_ type: ResponseType) -> Self {
        Self(
            "invalid_scope", "An ID token needs the scope openid",
            "The response_type “\(type.rawValue)” brings an ID token, and the scope does not contain openid.")
    }

    static func promptUnknown(_ names: [String]) -> Self {
        Self(
            "invalid_request", "The prompt is unknown",
            "The prompt “\(names.joined(separator: " "))” is not one of none, login, consent, select_account, create."
        )
    }

    static func promptNotAlone(_ names: [String]) -> Self {
        Self(
            "invalid_request", "prompt none must stand alone",
            "The prompt “\(names.joined(separator: " "))” combines none with others; expected it alone.")
    }

    static func maxAgeMalformed(_ text: String) -> Self {
        Self(
            "invalid_request", "max_age is not a number of seconds",
            "The max_age “\(text)” is not a whole number of seconds from 0 upwards.")
    }

    static func claimsMalformed(_ reason: String) -> Self {
        Self(
            "invalid_request", "claims is malformed",
            "The parameter claims is not as OpenID Connect Core, section 5.5, has it: \(reason).")
    }

    static func hintMalformed(_ reason: String) -> Self {
        Self(
            "invalid_request", "id_token_hint is not an ID token of this server",
            "The id_token_hint is not an ID token of this server: \(reason).")
    }

    static func scope(_ fault: ScopeFault) -> Self {
        Self(
            "invalid_scope", fault.summary,
            fault.explanation,
            audit: .scopeInvalid)
    }

    static func targetUnknown(_ names: [String], allowed: [String]) -> Self {
        Self(
            "invalid_target", "A resource is not one of the client's audiences",
            "The parameter resource asks for \(Self.list(names)), but the client's audiences are \(Self.list(allowed)): add to the "
                + "audiences of its metadata (RFC 8707 §2.1).")
    }

    static func loginRequired(_ reason: LoginReason) -> Self {
        Self(
            "login_required", "The user has to log in",
            "The request says prompt=none, but the user would have to log in: \(reason.words).",
            audit: .loginRequired)
    }

    static func consentRequired(_ names: [String]) -> Self {
        Self(
            "consent_required", "The user has to consent",
            "The request says prompt=none, but the user has not yet allowed: \(names.joined(separator: ", ")).",
            audit: .consentRequired)
    }

    static func wrongUser(asked: String, found: String) -> Self {
        Self(
            "login_required", "Another user is logged in",
            "The request asks for the user “\(asked)” by id_token_hint or claims, but “\(found)” logged in.",
            audit: .loginRequired)
    }

    static func acrUnreachable(_ asked: [String], reached: [String]) -> Self {
        Self(
            "access_denied", "The essential acr cannot be reached",
            "The claims parameter makes acr essential with \(Self.list(asked)), but a login here reaches \(Self.list(reached)): "
                + "see acr_values among the browser settings in the fixtures.")
    }

    static var denied: Self {
        Self(
            "access_denied", "The user refused",
            "The user pressed the button that refuses the client's request.")
    }

    static var cancelled: Self {
        Self(
            "access_denied", "The user refused",
            "The user pressed Cancel on the login page.")
    }

    static func openIDRemoved(_ type: ResponseType) -> Self {
        Self(
            "invalid_scope", "An ID token needs the scope openid",
            "The response_type “\(type.rawValue)” brings an ID token, and those who were asked about the scope removed openid from it.",
            audit: .scopeInvalid)
    }

    /// - Parameter isSilent: the client alone may be answered, no page shown. Source: OpenID Connect Core 1.0 §3.1.2.1.
    static func issue(_ refusal: IssueRefusal, isSilent: Bool) -> Self {
        var fault = Self(
            refusal.isDenial ? "access_denied" : "server_error", refusal.summary, refusal.explanation)
        if let audit = refusal.event { fault.audit = audit }
        if !isSilent { fault.page = refusal.page }
        return fault
    }
}

extension AuthorizationFault {
    private static func list(_ texts: [String]) -> String {
        texts.isEmpty ? "none" : texts.map { "“\($0)”" }.joined(separator: ", ")
    }
}
