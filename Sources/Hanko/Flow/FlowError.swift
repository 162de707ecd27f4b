import HTTP
import PlatformKit

/// Every code that a flow answers with. Source: Hanko 2.7, Flow API.
enum FlowError: String, Sendable, CaseIterable {
    case formDataInvalid = "form_data_invalid_error"
    case unauthorized
    case passcodeAttemptsExhausted = "passcode_max_attempts_reached"
    case passkeyInvalid = "passkey_invalid"
    case credentialForMFAOnly = "webauthn_credential_invalid_mfa_only"
    case platformAuthenticatorRequired = "platform_authenticator_required"
    case operationNotPermitted = "operation_not_permitted_error"
    case forbidden
    case notFound = "not_found"
    case flowExpired = "flow_expired_error"
    case rateLimitExceeded = "rate_limit_exceeded"
    case technical = "technical_error"
    case flowDiscontinuity = "flow_discontinuity_error"

    /// Status and the short sentence beside the code; clients translate by code.
    var wire: (status: Status, message: String) {
        switch self {
        case .formDataInvalid: (.badRequest, "Form data invalid.")
        case .unauthorized: (.unauthorized, "The session is invalid.")
        case .passcodeAttemptsExhausted: (.unauthorized, "The passcode was entered wrong too many times.")
        case .passkeyInvalid: (.unauthorized, "The passkey is invalid.")
        case .credentialForMFAOnly: (.unauthorized, "The credential can be used as a second factor only.")
        case .platformAuthenticatorRequired:
            (.unauthorized, "The account requires an authenticator that this device does not have.")
        case .operationNotPermitted: (.forbidden, "The operation is not permitted.")
        case .forbidden: (.forbidden, "Access is forbidden.")
        case .notFound: (.notFound, "The requested resource was not found.")
        case .flowExpired: (.gone, "The flow has expired.")
        case .rateLimitExceeded: (.tooManyRequests, "The rate limit has been exceeded.")
        case .technical: (.internalServerError, "Something went wrong.")
        case .flowDiscontinuity: (.internalServerError, "The flow can't be continued.")
        }
    }
}

/// What can be wrong with one input. Source: Hanko 2.7, Flow API.
enum FlowInputError: String, Sendable, CaseIterable {
    case missing = "value_missing_error"
    /// A wrong password too.
    case invalid = "value_invalid_error"
    case tooLong = "value_too_long_error"
    case tooShort = "value_too_short_error"
    case emailExists = "email_already_exists"
    case usernameExists = "username_already_exists"
    case usernameUnknown = "unknown_username_error"
    case emailUnknown = "unknown_email_error"
    case usernameInvalid = "invalid_username_error"
    /// A wrong TOTP code too.
    case passcodeInvalid = "passcode_invalid"
    case metadataInvalid = "invalid_metadata_error"

    var message: String {
        switch self {
        case .missing: "The value is missing."
        case .invalid: "The value is invalid."
        case .tooLong: "The value is too long."
        case .tooShort: "The value is too short."
        case .emailExists: "The email address already exists."
        case .usernameExists: "The username already exists."
        case .usernameUnknown: "The username is unknown."
        case .emailUnknown: "The email address is unknown."
        case .usernameInvalid: "The username is invalid."
        case .passcodeInvalid: "The passcode is invalid."
        case .metadataInvalid: "The metadata is invalid."
        }
    }
}

/// A refusal within a flow: the terse code for the client, the sentence for the journal.
struct FlowRefusal: Refusal, Equatable {
    let error: FlowError
    /// By name of the input; only with ``FlowError/formDataInvalid``.
    var inputErrors: [String: FlowInputError] = [:]
    let explanation: String

    init(_ error: FlowError, _ explanation: String) {
        self.error = error
        self.explanation = explanation
    }

    /// `form_data_invalid_error` because of one input.
    static func input(_ name: String, _ error: FlowInputError, _ explanation: String) -> FlowRefusal {
        var refusal = FlowRefusal(.formDataInvalid, explanation)
        refusal.inputErrors = [name: error]
        return refusal
    }
}
