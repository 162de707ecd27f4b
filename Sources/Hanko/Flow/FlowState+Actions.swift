extension FlowState {
    /// What can be done in the state. Each action says itself when it is not offered.
    ///
    /// Source: Hanko 2.7, Flow API.
    var actions: [FlowAction] {
        switch self {
        // Shared.
        case .preflight: [.registerClientCapabilities]
        case .passcodeConfirmation: [.verifyPasscode, .resendPasscode, .back]
        case .thirdParty: [.back]
        case .success, .error: []

        // Login.
        case .loginInit: [.continueWithLoginIdentifier]
        case .loginPasskey: [.back]
        case .loginMethodChooser: [.continueToPasswordLogin, .continueToPasscodeConfirmation, .back]
        case .loginPassword: [.continueToPasscodeConfirmationRecovery, .back]
        case .loginPasswordRecovery: []
        case .loginSecurityKey: []
        case .loginOTP: []
        case .onboardingUsername: []
        case .onboardingEmail: []
        case .deviceTrust: [.back]

        // Onboarding of credentials.
        case .credentialOnboardingChooser: [.back]
        case .onboardingCreatePasskey: [.back]
        case .onboardingVerifyPasskeyAttestation: [.back]
        case .passwordCreation: [.back]
        case .mfaMethodChooser: [.back]
        case .mfaOTPSecretCreation: [.back]
        case .mfaSecurityKeyCreation: [.back]

        // Registration.
        case .registrationInit: []

        // Profile, all of the session's user.
        case .profileInit: []
        case .webauthnCredentialVerification: [.back]
        case .accountDeleted: []
        }
    }
}
