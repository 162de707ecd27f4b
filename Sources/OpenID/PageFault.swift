import Essentials
import HTTP

/// What can be wrong with a form or a link of the pages.
struct PageFault: Error, Equatable {
    /// Sources: RFC 6749 §5.2; for user codes Token Server documentation.
    let code: String
    /// The heading of the page.
    let summary: String
    let explanation: String
    let status: Status
    /// What the form says that is shown again. Of a password no more than that it is wrong.
    let problem: String

    /// - Parameter isTold: whether the person at the browser may read the explanation above the form.
    private init(
        _ code: String, _ summary: String, _ explanation: String, status: Status = .badRequest,
        isTold: Bool = false
    ) {
        (self.code, self.summary, self.explanation, self.status) = (code, summary, explanation, status)
        problem = isTold ? explanation : summary
    }
}

extension PageFault {
    static var interactionUnknown: Self {
        Self(
            "invalid_request", "This page is no longer valid",
            "The login that this page belongs to is over: it lasts an hour, and one that began with a pushed request "
                + "ends with its answer. Start again in the app.")
    }

    static var interactionMissing: Self {
        Self(
            "invalid_request", "This page is no longer valid",
            "The address lacks the parameter interaction. Start again in the app.")
    }

    /// Nobody is logged in where somebody has to be.
    static var sessionMissing: Self {
        Self(
            "invalid_request", "You are not logged in",
            "The form was sent without the cookie of an active session: it expired, or the user logged out in another tab."
        )
    }

    static var cookieMissing: Self {
        Self(
            "invalid_request", "The browser does not keep cookies",
            "The form was sent without the cookie that was set with the page: the browser refuses cookies, or the page was opened "
                + "under another host name.")
    }

    static func formToken(_ fault: FormToken.Fault) -> Self {
        switch fault {
        case .missing:
            Self(
                "invalid_request", "The form is not valid",
                "The form was sent without its token (csrf), so it does not come from our page.")
        case .wrong:
            Self(
                "invalid_request", "The form is not valid",
                "The form's token (csrf) was issued for another login or another browser.")
        case .old(let seconds):
            Self(
                "invalid_request", "The form was open for too long",
                "The form is \(seconds) s old; it is valid for \(FormToken.lifetimeSeconds) s by the world's clock."
            )
        }
    }

    static var decisionMissing: Self {
        Self(
            "invalid_request", "The form is not valid",
            "The form says neither allow nor deny.")
    }

    static func userUnknown(_ name: String, known: [String]) -> Self {
        Self(
            "access_denied", "User name or password is wrong",
            "There is no user “\(name)”. Users here: \(known.map { "“\($0)”" }.joined(separator: ", ")).")
    }

    static func passwordMissing(_ name: String) -> Self {
        Self(
            "access_denied", "User name or password is wrong",
            "The user “\(name)” has no password in the fixtures and logs in with the button.")
    }

    static func passwordWrong(_ name: String) -> Self {
        Self(
            "access_denied", "User name or password is wrong",
            "The password for “\(name)” is not the one in the fixtures; case and spaces matter.")
    }

    static var personMalformed: Self {
        Self(
            "invalid_request", "This user cannot be created",
            "The user in the form is not 1 to 255 ASCII characters, as a subject must be (OpenID Connect Core 1.0, section 2).",
            isTold: true)
    }

    static func peopleTooMany(limit: Int) -> Self {
        Self(
            "invalid_request", "This user cannot be created",
            "The server already has \(limit.counted("user")); no more can be created on the login page.",
            isTold: true)
    }

    /// - Parameter reason: part of a sentence.
    static func claimsMalformed(_ reason: String) -> Self {
        Self(
            "invalid_request", "These claims cannot be given",
            "The claims entered for this login are refused: \(reason).",
            isTold: true)
    }

    static var userCodeMissing: Self {
        Self(
            "invalid_request", "Unknown code",
            "The form has no user_code.")
    }

    static func userCodeUnknown(_ code: String, left: Int) -> Self {
        Self(
            "invalid_request", "Unknown code",
            "No device is waiting with the code “\(code)”; case, spaces and dashes do not matter. \(left == 1 ? "1 more wrong code is" : "\(left) more wrong codes are") allowed "
                + "in this minute.")
    }

    static func userCodeExpired(_ code: String) -> Self {
        Self(
            "expired_token", "That code has expired",
            "The code “\(code)” has expired by the world's clock; the device has to request a new one.")
    }

    static func userCodeDecided(_ code: String, _ state: DeviceRequest.State) -> Self {
        Self(
            "already_authorized", "That code was already used",
            "The code “\(code)” is already \(state.rawValue); a code can be decided only once.",
            status: .conflict)
    }

    static func userCodesTooMany(address: String) -> Self {
        Self(
            "slow_down", "Too many wrong codes",
            "The address \(address) sent \(WrongUserCode.limit) wrong codes within a minute; wait before trying again.",
            status: .tooManyRequests)
    }

    static func logoutHintMalformed(_ reason: String) -> Self {
        Self(
            "invalid_request", "The logout request is not valid",
            "The id_token_hint is not an ID token of this server: \(reason). Nobody was logged out.")
    }

    static func logoutClientUnknown(_ id: String) -> Self {
        Self(
            "invalid_request", "The logout request is not valid",
            "No client has the id “\(id)”. Nobody was logged out.")
    }

    static func logoutClientOther(named: String, audience: [String]) -> Self {
        Self(
            "invalid_request", "The logout request is not valid",
            "The client_id is “\(named)”, but the id_token_hint was made for \(Self.list(audience)). Nobody was logged out."
        )
    }

    static func logoutURIUnregistered(_ uri: String, registered: [String]) -> Self {
        Self(
            "invalid_request", "The logout request is not valid",
            "The post_logout_redirect_uri “\(uri)” is not one of the client's post_logout_redirect_uris, which are compared "
                + "character by character: \(Self.list(registered)). Nobody was logged out.")
    }

    static func parameterRepeated(_ name: String) -> Self {
        Self(
            "invalid_request", "The form is not valid",
            "The parameter \(name) was sent more than once; expected it once.")
    }

    static func tooLarge(_ bytes: Int) -> Self {
        Self(
            "invalid_request", "The request is too large",
            "The form has \(bytes) bytes; at most \(AuthorizationParameters.byteLimit) are read.",
            status: .contentTooLarge)
    }

    private static func list(_ texts: [String]) -> String {
        texts.isEmpty ? "none" : texts.map { "“\($0)”" }.joined(separator: ", ")
    }
}
