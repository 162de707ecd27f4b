/// A state of the Flow API. The raw value is its name on the wire.
///
/// Source: Hanko 2.7, Flow API. What can be done in each stands in `FlowState+Actions.swift`, what happens before it is shown
/// in `FlowState+Hooks.swift`.
enum FlowState: String, Codable, Sendable, CaseIterable {
    // Shared.
    case preflight
    case passcodeConfirmation = "passcode_confirmation"
    case thirdParty = "thirdparty"
    case success
    case error

    // Login.
    case loginInit = "login_init"
    case loginPasskey = "login_passkey"
    case loginMethodChooser = "login_method_chooser"
    case loginPassword = "login_password"
    case loginPasswordRecovery = "login_password_recovery"
    case loginSecurityKey = "login_security_key"
    case loginOTP = "login_otp"
    case onboardingUsername = "onboarding_username"
    case onboardingEmail = "onboarding_email"
    case deviceTrust = "device_trust"

    // Credentials of somebody who signs in or registers.
    case credentialOnboardingChooser = "credential_onboarding_chooser"
    case onboardingCreatePasskey = "onboarding_create_passkey"
    case onboardingVerifyPasskeyAttestation = "onboarding_verify_passkey_attestation"
    case passwordCreation = "password_creation"
    case mfaMethodChooser = "mfa_method_chooser"
    case mfaOTPSecretCreation = "mfa_otp_secret_creation"
    case mfaSecurityKeyCreation = "mfa_security_key_creation"

    // Registration.
    case registrationInit = "registration_init"

    // Profile.
    case profileInit = "profile_init"
    case webauthnCredentialVerification = "webauthn_credential_verification"
    case accountDeleted = "account_deleted"
}

extension FlowState {
    /// What happens before the state is shown, in this order.
    var hooks: [FlowHook] {
        switch self {
        case .loginInit: [.offerConditionalLogin]
        case .loginPasskey: [.offerLogin]
        case .onboardingVerifyPasskeyAttestation, .webauthnCredentialVerification: [.offerCreation]
        case .passcodeConfirmation: [.sendPasscode]
        case .mfaOTPSecretCreation: [.showOTPSecret]
        case .success: [.makeUser, .openSession, .showProfile]
        case .profileInit: [.forgetDetour, .showProfile, .showSessions]
        default: []
        }
    }
}

extension FlowState {
    /// What can be done in the state. Each action says itself when it is not offered.
    ///
    /// Source: Hanko 2.7, Flow API.
    var actions: [FlowAction] {
        switch self {
        // Shared.
        case .preflight: [.registerClientCapabilities]
        case .passcodeConfirmation: [.verifyPasscode, .resendPasscode, .back]
        case .thirdParty: [.exchangeToken, .back]
        case .success, .error: []

        // Login.
        case .loginInit:
            [
                .continueWithLoginIdentifier, .generateRequestOptions, .verifyAssertion, .rememberMe,
                .signInByThirdParty,
            ]
        case .loginPasskey: [.verifyAssertion, .back]
        case .loginMethodChooser:
            [.continueToPasswordLogin, .continueToPasscodeConfirmation, .generateRequestOptions, .back]
        case .loginPassword: [.logInByPassword, .continueToPasscodeConfirmationRecovery, .back]
        case .loginPasswordRecovery: [.recoverPassword]
        case .loginSecurityKey: [.generateSecurityKeyRequestOptions, .continueToLoginOTP]
        case .loginOTP: [.validateOTPCode, .continueToLoginSecurityKey]
        case .onboardingUsername: [.onboardUsername, .skipUsername]
        case .onboardingEmail: [.onboardEmail, .skipEmail]
        case .deviceTrust: [.trustDevice, .skipDeviceTrust, .back]

        // Onboarding of credentials.
        case .credentialOnboardingChooser:
            [.continueToPasskeyRegistration, .continueToPasswordRegistration, .skipCredentials, .back]
        case .onboardingCreatePasskey: [.generateCreationOptions, .skipPasskey, .back]
        case .onboardingVerifyPasskeyAttestation: [.verifyAttestation, .back]
        case .passwordCreation: [.registerPassword, .skipPassword, .back]
        case .mfaMethodChooser:
            [.continueToOTPSecretCreation, .continueToSecurityKeyCreation, .skipMFA, .back]
        case .mfaOTPSecretCreation: [.verifyOTPCode, .back]
        case .mfaSecurityKeyCreation: [.generateSecurityKeyCreationOptions, .back]

        // Registration.
        case .registrationInit: [.registerLoginIdentifier, .rememberMe, .signInByThirdParty]

        // Profile, all of the session's user.
        case .profileInit:
            [
                .deleteAccount, .patchMetadata, .createEmail, .deleteEmail, .makeEmailPrimary, .verifyEmail,
                .createPassword, .updatePassword, .deletePassword,
                .createUsername, .updateUsername, .deleteUsername,
                .createPasskey, .renameCredential, .deletePasskey, .createSecurityKey, .deleteSecurityKey,
                .createOTPSecret, .deleteOTPSecret, .deleteSession, .connectThirdParty, .disconnectThirdParty,
            ]
        case .webauthnCredentialVerification: [.verifyRequiredAttestation, .back]
        case .accountDeleted: []
        }
    }
}
