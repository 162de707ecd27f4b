extension FlowAction {
    /// `continue_to_passkey_registration`: of the two credentials, the passkey.
    static let continueToPasskeyRegistration = FlowAction(
        "continue_to_passkey_registration", "Register a passkey.",
        suspension: { $0.passkeyObstacle },
        run: { _, _ in .proceed(.onboardingCreatePasskey) })

    /// `continue_to_password_registration`: of the two credentials, the password.
    static let continueToPasswordRegistration = FlowAction(
        "continue_to_password_registration", "Register a password.",
        suspension: { $0.configuration.password.isEnabled ? nil : "password.enabled is false" },
        run: { _, _ in .proceed(.passwordCreation) })
}
