import HTTP

extension PageFault {
    var status: Status {
        switch self {
        case .userCodesTooMany: .tooManyRequests
        case .userCodeDecided: .conflict
        case .tooLarge: .contentTooLarge
        default: .badRequest
        }
    }

    /// Sources: RFC 6749 §5.2; for user codes Token Server documentation.
    var code: String {
        switch self {
        case .userCodeDecided: "already_authorized"
        case .userCodeExpired: "expired_token"
        case .userCodesTooMany: "slow_down"
        case .userUnknown, .passwordMissing, .passwordWrong: "access_denied"
        default: "invalid_request"
        }
    }

    /// The heading of the page.
    var summary: String {
        switch self {
        case .interactionUnknown, .interactionMissing: "This page leads nowhere any more"
        case .sessionMissing: "Nobody is logged in"
        case .cookieMissing: "The browser keeps no cookies"
        case .formToken(.old): "The form was open for too long"
        case .formToken, .decisionMissing, .parameterRepeated: "The form is not one of ours"
        case .userUnknown, .passwordMissing, .passwordWrong: "User name or password is wrong"
        case .personMalformed, .peopleTooMany: "Nobody can be called so"
        case .claimsMalformed: "These claims cannot be given"
        case .userCodeMissing, .userCodeUnknown: "That code is not known"
        case .userCodeExpired: "That code has expired"
        case .userCodeDecided: "That code was used already"
        case .userCodesTooMany: "Too many wrong codes"
        case .tooLarge: "The request is too large"
        default: "The logout request is wrong"
        }
    }

    /// What the form says that is shown again. Of a password no more than that it is wrong.
    var problem: String {
        switch self {
        case .personMalformed, .peopleTooMany, .claimsMalformed: explanation
        default: summary
        }
    }

    var explanation: String {
        switch self {
        case .interactionUnknown:
            "The conversation that this page belongs to is over: it lives for an hour, and one that began with a pushed request "
                + "ends with its answer. Start again in the app."
        case .interactionMissing: "The address lacks the parameter interaction. Start again in the app."
        case .sessionMissing:
            "The form came without the cookie of a live session: it expired, or somebody logged out in another tab."
        case .cookieMissing:
            "The form came without the cookie that was set with the page: the browser refuses cookies, or the page was opened "
                + "under another host name."
        case .formToken(.missing): "The form came without its token (csrf): it was not made by our page."
        case .formToken(.wrong):
            "The token of the form (csrf) was made for another conversation or another browser."
        case .formToken(.old(let seconds)):
            "The form is \(seconds) s old; it is good for \(FormToken.lifetimeSeconds) s by the world's clock."
        case .decisionMissing: "The form says neither allow nor deny."
        case .userUnknown(let name, let known):
            "No user is called «\(name)». Users here: \(known.map { "«\($0)»" }.joined(separator: ", "))."
        case .passwordMissing(let name):
            "The user «\(name)» has no password in the fixtures and logs in with the button."
        case .passwordWrong(let name):
            "The password for «\(name)» is not the one of the fixtures; capitals and blanks count."
        default: furtherExplanation
        }
    }

    private var furtherExplanation: String {
        switch self {
        case .personMalformed:
            "The person of the form is not 1 to 255 characters of ASCII, as a subject must be (OpenID Connect Core 1.0, section 2)."
        case .peopleTooMany:
            "The server has \(TypedLogin.peopleLimit) users already; beyond them nobody is made up at the login page."
        case .claimsMalformed(let reason): "The claims that were typed for this login are refused: \(reason)."
        case .userCodeMissing: "The form has no user_code."
        case .userCodeUnknown(let code, let left):
            "No device waits with the code «\(code)», not counting case, blanks and dashes. \(left) more wrong codes are allowed "
                + "in this minute."
        case .userCodeExpired(let code):
            "The code «\(code)» has expired by the world's clock; the device has to ask for another one."
        case .userCodeDecided(let code, let state):
            "The code «\(code)» is \(state.rawValue) already; a code is decided once."
        case .userCodesTooMany(let address):
            "The address \(address) sent \(WrongUserCode.limit) wrong codes within a minute; expected a pause."
        case .logoutHintMalformed(let reason):
            "The id_token_hint is not an ID token of this server: \(reason). Nobody was logged out."
        case .logoutClientUnknown(let id): "No client has the id «\(id)». Nobody was logged out."
        case .logoutClientOther(let named, let audience):
            "The client_id is «\(named)», but the id_token_hint was made for \(Self.list(audience)). Nobody was logged out."
        case .logoutURIUnregistered(let uri, let registered):
            "The post_logout_redirect_uri «\(uri)» is not among the client's post_logout_redirect_uris, which are compared "
                + "character by character: \(Self.list(registered)). Nobody was logged out."
        case .parameterRepeated(let name): "The parameter \(name) came more than once; expected it once."
        case .tooLarge(let bytes):
            "The form has \(bytes) bytes; at most \(AuthorizationParameters.byteLimit) are read."
        default: summary + "."
        }
    }

    private static func list(_ texts: [String]) -> String {
        texts.isEmpty ? "none" : texts.map { "«\($0)»" }.joined(separator: ", ")
    }
}
