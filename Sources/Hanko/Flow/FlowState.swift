/// A state of the Flow API. The raw value is its name on the wire.
///
/// Source: Hanko 2.7, Flow API. What can be done in each stands in ``FlowState/actions``, what happens before it is shown in
/// ``FlowState/hooks``.
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
