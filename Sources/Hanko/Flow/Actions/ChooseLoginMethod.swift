extension FlowAction {
    /// `continue_to_passcode_confirmation`: sign in with a mailed code.
    static let continueToPasscodeConfirmation = FlowAction(
        "continue_to_passcode_confirmation", "Send a login passcode via email.",
        suspension: { step in
            if !step.configuration.email.canReceivePasscodes {
                return "email.enabled or email.use_for_authentication is false"
            }
            return step.flow.stash.email == nil ? "there is no address to mail to" : nil
        },
        run: { step, _ in
            step.setLoginPurpose(.login)
            return .proceed(.passcodeConfirmation)
        })

    /// `continue_to_password_login`: sign in with a password.
    static let continueToPasswordLogin = FlowAction(
        "continue_to_password_login", "Continue to the password login.",
        suspension: { step in
            if !step.configuration.password.isEnabled { return "password.enabled is false" }
            guard step.configuration.privacy.showsOnlyActualMethods, let account = try step.account() else {
                return nil
            }
            return account.password == nil
                ? "the user has no password (privacy.only_show_actual_login_methods)" : nil
        },
        run: { _, _ in .proceed(.loginPassword) })

    /// `continue_to_passcode_confirmation_recovery`: the password is forgotten; a mailed code lets the user set another.
    static let continueToPasscodeConfirmationRecovery = FlowAction(
        "continue_to_passcode_confirmation_recovery", "Send a recovery passcode via email.",
        suspension: { step in
            if !step.configuration.password.allowsRecovery { return "password.recovery is false" }
            return step.flow.stash.email == nil ? "there is no address to mail to" : nil
        },
        run: { step, _ in
            step.setLoginPurpose(.recovery)
            step.flow.stash.isRecoveryPending = true
            return .proceed(.passcodeConfirmation)
        })
}
