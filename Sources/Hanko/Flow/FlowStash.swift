import Crypto
import Essentials
import WebAuthn

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
    /// The step of that code.
    var otpStep: Int?
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

/// The WebAuthn options that a flow gave out last; the only ones that an answer counts for.
struct FlowChallenge: Codable, Sendable, Equatable {
    enum Use: String, Codable, Sendable { case passkeyLogin, securityKeyLogin, passkey, securityKey }

    let bytes: [UInt8]
    let use: Use
    /// Ids in base64url; empty when any credential is welcome.
    let allowed: [String]
    let expiresAt: Date?
    /// Whom a new credential is for: the session of a profile flow may become another user's meanwhile.
    var ownerID: String?

    var ceremony: Ceremony {
        use == .passkeyLogin || use == .securityKeyLogin ? .authentication : .registration
    }

    var kind: CredentialKind { use == .passkeyLogin || use == .passkey ? .passkey : .securityKey }

    var issued: IssuedChallenge { IssuedChallenge(bytes, for: ceremony, expiresAt: expiresAt) }
}

/// The newest code that a flow mailed; the only one that counts in it.
///
/// It is kept beside the stash, not in it: going back and forth must not send mails again, and a wrong try counts although the
/// action that brought it is undone.
struct FlowPasscode: Codable, Sendable, Equatable {
    /// Wrong codes after which nothing but a new code helps.
    static let triesAllowed = 3

    let id: String
    let address: String
    /// See ``Passcode/digest(of:id:)``.
    let digest: [UInt8]
    let createdAt: Date
    let expiresAt: Date
    var wrongTries = 0

    /// What a passcode mail is about. The raw value is the name of its template.
    enum Purpose: String, Codable, Sendable, CaseIterable {
        case login, recovery
        case emailVerification = "email_verification"
        /// Nobody has the address that somebody wants to sign in with: a notice without a code.
        case emailLoginAttempted = "email_login_attempted"
        /// The address that somebody wants to register belongs to somebody else: a notice without a code.
        case emailRegistrationAttempted = "email_registration_attempted"

        /// Whether the mail says the code.
        var carriesCode: Bool { self != .emailLoginAttempted && self != .emailRegistrationAttempted }
    }

    /// What came of a code.
    enum Verdict: Sendable, Equatable {
        case right, wrong, expired, exhausted
    }

    /// Whether the code can still succeed, so that no other need be mailed.
    func isUsable(at now: Date) -> Bool { now <= expiresAt && wrongTries < Self.triesAllowed }

    /// The third wrong code and whatever follows is too much; expiry is looked at before the code.
    mutating func check(_ code: String, at now: Date) -> Verdict {
        guard wrongTries < Self.triesAllowed else { return .exhausted }
        guard now <= expiresAt else { return .expired }
        if constantTimeEqual(digest, Passcode.digest(of: code, id: id)) { return .right }
        wrongTries.increment()
        return wrongTries < Self.triesAllowed ? .wrong : .exhausted
    }
}
