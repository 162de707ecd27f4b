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
