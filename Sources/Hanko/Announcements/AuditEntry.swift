import Essentials
import PlatformKit
import SQLite

/// One line of the audit log.
struct AuditEntry: Record, Equatable {
    static let table = Table("hanko_audit_log", limit: 10_000)

    let id: String
    let type: AuditType
    /// What went wrong, for the types that say so.
    let error: String?
    let requestID: String
    let sourceAddress: String
    let userAgent: String
    let userID: String?
    let address: String?
    /// Such as `flow_id`, `login_method`.
    let details: [String: String]
    let createdAt: Date
}

extension AuditEntry {
    enum CodingKeys: String, CodingKey {
        case id, type, error, details
        case requestID = "meta_http_request_id"
        case sourceAddress = "meta_source_ip"
        case userAgent = "meta_user_agent"
        case userID = "actor_user_id"
        case address = "actor_email"
        case createdAt = "created_at"
    }

    /// `details` may be left out in fixtures.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(String.self, forKey: .id)
        type = try members.decode(AuditType.self, forKey: .type)
        error = try members.decodeIfPresent(String.self, forKey: .error)
        requestID = try members.decode(String.self, forKey: .requestID)
        sourceAddress = try members.decode(String.self, forKey: .sourceAddress)
        userAgent = try members.decode(String.self, forKey: .userAgent)
        userID = try members.decodeIfPresent(String.self, forKey: .userID)
        address = try members.decodeIfPresent(String.self, forKey: .address)
        details = try members.decodeIfPresent([String: String].self, forKey: .details) ?? [:]
        createdAt = try members.decode(Date.self, forKey: .createdAt)
    }
}

extension AuditEntry: AuditRow {
    var line: AuditLine {
        AuditLine(
            at: createdAt, event: type.rawValue, user: address ?? userID, address: sourceAddress,
            facts: [("error", error), ("request", requestID)]
                + details.sorted { $0.key < $1.key }.map { ($0.key, Optional($0.value)) })
    }
}

/// An entry as the admin API shows one:
/// `{"id", "type", "error"?, "meta_http_request_id", …, "details", "created_at", "updated_at"}`
struct AuditOutput: Encodable, Sendable {
    let entry: AuditEntry

    init(_ entry: AuditEntry) { self.entry = entry }

    enum CodingKeys: String, CodingKey {
        case details
        case updatedAt = "updated_at"
    }

    func encode(to encoder: any Encoder) throws {
        try entry.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        if entry.details.isEmpty { try members.encodeNil(forKey: .details) }
        // An entry never changes.
        try members.encode(entry.createdAt, forKey: .updatedAt)
    }
}

/// What the audit log tells of. Source: Hanko 2.7, audit log.
enum AuditType: String, Codable, Sendable, CaseIterable {
    // Classic endpoints.
    case userLoggedOut = "user_logged_out"
    case passwordSetSucceeded = "password_set_succeeded"
    case passwordSetFailed = "password_set_failed"
    case passwordLoginSucceeded = "password_login_succeeded"
    case passwordLoginFailed = "password_login_failed"
    case passcodeInitSucceeded = "passcode_login_init_succeeded"
    case passcodeInitFailed = "passcode_login_init_failed"
    case passcodeFinalSucceeded = "passcode_login_final_succeeded"
    case passcodeFinalFailed = "passcode_login_final_failed"
    case webauthnRegistrationInitSucceeded = "webauthn_registration_init_succeeded"
    case webauthnRegistrationInitFailed = "webauthn_registration_init_failed"
    case webauthnRegistrationFinalSucceeded = "webauthn_registration_final_succeeded"
    case webauthnRegistrationFinalFailed = "webauthn_registration_final_failed"
    case webauthnAuthenticationInitSucceeded = "webauthn_authentication_init_succeeded"
    case webauthnAuthenticationInitFailed = "webauthn_authentication_init_failed"
    case webauthnAuthenticationFinalSucceeded = "webauthn_authentication_final_succeeded"
    case webauthnAuthenticationFinalFailed = "webauthn_authentication_final_failed"
    case webauthnCredentialUpdated = "webauthn_credential_updated"
    case webauthnCredentialDeleted = "webauthn_credential_deleted"
    case thirdPartySignupSucceeded = "thirdparty_signup_succeeded"
    case thirdPartySigninSucceeded = "thirdparty_signin_succeeded"
    case thirdPartyLinkingSucceeded = "thirdparty_linking_succeeded"
    case thirdPartyFailed = "thirdparty_signin_signup_failed"
    case tokenExchangeSucceeded = "token_exchange_succeeded"
    case tokenExchangeFailed = "token_exchange_failed"

    // Both.
    case userCreated = "user_created"
    case userDeleted = "user_deleted"
    case emailCreated = "email_created"
    case emailVerified = "email_verified"
    case emailDeleted = "email_deleted"
    case primaryEmailChanged = "primary_email_changed"

    // Flows.
    case loginSuccess = "login_success"
    case loginFailure = "login_failure"
    case otpCreated = "otp_created"
    case passkeyCreated = "passkey_created"
    case passkeyDeleted = "passkey_deleted"
    case securityKeyCreated = "security_key_created"
    case securityNotificationSent = "security_notification_sent"
    case usernameChanged = "username_changed"
    case usernameDeleted = "username_deleted"
    case passwordChanged = "password_changed"
    case passwordDeleted = "password_deleted"
}
