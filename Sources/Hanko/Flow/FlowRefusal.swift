import HTTP
import PlatformKit

/// What a flow refuses: the terse answer for the client, and a sentence for the journal. The codes with status and words stand in the
/// extension below, the sentence where it is thrown.
///
/// Source: Hanko 2.7, Flow API; clients translate by code.
struct FlowRefusal: Refusal, Equatable {
    /// What becomes of the flow when an action refuses.
    enum Consequence: Sendable {
        /// The state is shown again with the error. What the action wrote to the stash is forgotten, what it wrote to tables stays.
        case stateStays
        /// The state `error` is shown, from which nothing leads on.
        case flowEnds
        /// The flow stays as it was, its token too, and the client hears of the error alone. Calls are counted all the same.
        case stepIsUndone
    }

    let status: Status
    let code: String
    let message: String
    let explanation: String
    private(set) var consequence: Consequence
    /// By name of the input.
    private(set) var inputs: [String: FlowInputRefusal] = [:]
    /// Where a state is shown with the error; nil for the error alone.
    private(set) var answer: Response?

    private init(
        _ status: Status, _ code: String, _ message: String, _ explanation: String,
        _ consequence: Consequence = .stateStays
    ) {
        (self.status, self.code, self.message) = (status, code, message)
        (self.explanation, self.consequence) = (explanation, consequence)
    }

    /// The same, after which the flow cannot go on.
    var endingFlow: FlowRefusal {
        var refusal = self
        refusal.consequence = .flowEnds
        return refusal
    }

    func shown(in response: Response) -> FlowRefusal {
        var refusal = self
        refusal.answer = response
        return refusal
    }
}

extension FlowRefusal {
    static func == (one: FlowRefusal, other: FlowRefusal) -> Bool {
        (one.code, one.explanation, one.consequence, one.inputs)
            == (other.code, other.explanation, other.consequence, other.inputs)
    }
}

// MARK: - The codes

extension FlowRefusal {
    /// - Parameter inputs: what is wrong with each, by its name.
    static func formDataInvalid(_ inputs: [String: FlowInputRefusal], _ explanation: String) -> Self {
        var refusal = Self(.badRequest, "form_data_invalid_error", "Form data invalid.", explanation)
        refusal.inputs = inputs
        return refusal
    }

    static func formDataInvalid(_ explanation: String) -> Self { formDataInvalid([:], explanation) }

    static func input(_ name: String, _ input: FlowInputRefusal, _ explanation: String) -> Self {
        formDataInvalid([name: input], explanation)
    }

    static func unauthorized(_ refusal: SessionRefusal, clearedCookie: String?) -> Self {
        let refusal = Self(
            .unauthorized, "unauthorized", "The session is invalid.", refusal.explanation, .stepIsUndone)
        guard let clearedCookie else { return refusal }
        var response = Response.flowRefused(refusal)
        response.headers.add("Set-Cookie", clearedCookie)
        return refusal.shown(in: response)
    }

    static func passcodeAttemptsExhausted(_ explanation: String) -> Self {
        Self(
            .unauthorized, "passcode_max_attempts_reached", "The passcode was entered wrong too many times.",
            explanation)
    }

    static func passkeyInvalid(_ explanation: String) -> Self {
        Self(.unauthorized, "passkey_invalid", "The passkey is invalid.", explanation)
    }

    static func credentialForMFAOnly(_ explanation: String) -> Self {
        Self(
            .unauthorized, "webauthn_credential_invalid_mfa_only",
            "The credential can be used as a second factor only.", explanation)
    }

    static func platformAuthenticatorRequired(_ explanation: String) -> Self {
        Self(
            .unauthorized, "platform_authenticator_required",
            "The account requires an authenticator that this device does not have.", explanation, .flowEnds)
    }

    static func operationNotPermitted(_ explanation: String) -> Self {
        Self(.forbidden, "operation_not_permitted_error", "The operation is not permitted.", explanation)
    }

    static func forbidden(_ explanation: String) -> Self {
        Self(.forbidden, "forbidden", "Access is forbidden.", explanation)
    }

    static func notFound(_ explanation: String) -> Self {
        Self(.notFound, "not_found", "The requested resource was not found.", explanation)
    }

    static func flowExpired(_ flow: Flow, seconds: Int) -> Self {
        Self(
            .gone, "flow_expired_error", "The flow has expired.",
            "The \(flow.kind.rawValue) flow \(flow.id) expired \(seconds) s ago; it lives for "
                + "\(Int(flow.kind.lifespanSeconds)) s of the world's clock.", .stepIsUndone)
    }

    static func rateLimitExceeded(_ limit: CallLimit, seconds: Int) -> Self {
        Self(
            .tooManyRequests, "rate_limit_exceeded", "The rate limit has been exceeded.",
            "More than \(limit.rule.tokens) \(limit.calls). The bucket is full again in \(seconds) s of the world's clock, "
                + "which can be moved; rate_limiter.enabled: false in the fixtures switches limits off.")
    }

    static func technical(_ explanation: String) -> Self {
        Self(
            .internalServerError, "technical_error", "Something went wrong.", explanation, .stepIsUndone)
    }

    static func flowDiscontinuity(_ explanation: String) -> Self {
        Self(
            .internalServerError, "flow_discontinuity_error", "The flow can't be continued.", explanation,
            .flowEnds)
    }
}

/// What is wrong with one input. Source: Hanko 2.7, Flow API.
struct FlowInputRefusal: Sendable, Equatable {
    let code: String
    let message: String

    private init(_ code: String, _ message: String) { (self.code, self.message) = (code, message) }

    static let missing = Self("value_missing_error", "The value is missing.")
    /// A wrong password too.
    static let invalid = Self("value_invalid_error", "The value is invalid.")
    static let tooLong = Self("value_too_long_error", "The value is too long.")
    static let tooShort = Self("value_too_short_error", "The value is too short.")
    static let emailExists = Self("email_already_exists", "The email address already exists.")
    static let usernameExists = Self("username_already_exists", "The username already exists.")
    static let usernameUnknown = Self("unknown_username_error", "The username is unknown.")
    static let emailUnknown = Self("unknown_email_error", "The email address is unknown.")
    static let usernameInvalid = Self("invalid_username_error", "The username is invalid.")
    /// A wrong TOTP code too, up to 3.x.
    static let passcodeInvalid = Self("passcode_invalid", "The passcode is invalid.")
    /// Both after 3.x.
    static let otpInvalid = Self("otp_code_invalid", "The OTP code is invalid.")
    static let otpUsed = Self("otp_code_already_used", "The OTP code has already been used.")
    static let metadataInvalid = Self("invalid_metadata_error", "The metadata is invalid.")
}

/// Something that no flow foresees; its step was rolled back. Answered as `technical_error`, and told as the bug that it is.
struct FlowBroken: Error, CustomStringConvertible {
    let cause: any Error
    var description: String { "a flow broke: \(cause)" }
}
