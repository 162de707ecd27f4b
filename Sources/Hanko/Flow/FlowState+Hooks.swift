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
