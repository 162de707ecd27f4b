extension FlowState {
    /// What happens before the state is shown, in this order.
    var hooks: [FlowHook] {
        switch self {
        case .passcodeConfirmation: [.sendPasscode]
        case .mfaOTPSecretCreation: [.showOTPSecret]
        case .success: [.makeUser, .openSession, .showProfile]
        case .profileInit: [.forgetDetour, .showProfile, .showSessions]
        case .webauthnCredentialVerification: [.showCreationOptions]
        default: []
        }
    }
}
