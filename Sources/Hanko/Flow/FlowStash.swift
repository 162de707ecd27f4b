import Essentials

/// What a flow knows privately. An action that is refused loses what it wrote here; `back` brings the former one again.
///
/// Every member is optional: an action sets what it learned, and a flow that was stored by an older build still decodes.
struct FlowStash: Codable, Sendable, Equatable {
    /// What the client said of its device in `preflight`.
    var capabilities: Capabilities?

    // MARK: Who

    /// An existing user. Whether it was *proved* is said by ``loginMethod``.
    var userID: String?
    /// Reserved for a user who is created on reaching `success`.
    var newUserID: String?
    /// The address that was typed, in lower case; where passcodes go.
    var email: String?
    var username: String?
    /// What was typed to sign in, for the bucket of password tries.
    var loginIdentifier: String?
    /// The address was confirmed by a code, or by a provider.
    var isEmailVerified: Bool?

    // MARK: What was collected

    /// What the next passcode is for.
    var passcodePurpose: FlowPasscode.Purpose?
    /// Of a user who does not exist yet, as the store of passwords keeps it.
    var passwordHash: String?
    var isPasswordSkipped: Bool?
    var isPasskeySkipped: Bool?
    /// The options that wait for an answer.
    var challenge: FlowChallenge?
    /// The ceremony is one of a security key, not of a passkey.
    var wantsSecurityKey: Bool?
    /// Of a user who does not exist yet.
    var newCredentials: [Credential]?
    /// The base32 secret that `mfa_otp_secret_creation` shows.
    var otpSecret: String?
    /// A code of ``otpSecret`` came back.
    var isOTPConfirmed: Bool?
    /// `password_recovery` is due.
    var isRecoveryPending: Bool?

    // MARK: How

    var loginMethod: LoginMethod?
    var mfaMethod: MFAMethod?
    /// The provider that vouched for the user, as clients name it.
    var thirdPartyProvider: String?
    /// What the provider knows the user as, while that is still to be proved by a code. See ``Identity/needsProof``.
    var unprovedIdentityID: String?
    /// `remember_me`, where the retention of the session cookie is `prompt`.
    var remembersMe: Bool?
    /// The user wants this device to be trusted.
    var trustsDevice: Bool?

    /// `webauthn_…_available`.
    struct Capabilities: Codable, Sendable, Equatable {
        var webauthn: Bool
        var conditionalMediation: Bool
        var platformAuthenticator: Bool
    }

    enum LoginMethod: String, Codable, Sendable {
        case password, passcode, passkey
        case thirdParty = "third_party"
    }

    enum MFAMethod: String, Codable, Sendable {
        case totp
        case securityKey = "security_key"
    }
}

extension FlowStash {
    /// The client said that it can make and use WebAuthn credentials.
    var hasWebAuthn: Bool { capabilities?.webauthn ?? false }
}
