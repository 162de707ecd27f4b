extension FlowAction {
    private static func skip(
        suspension: @escaping @Sendable (FlowStep) throws -> String? = { _ in nil },
        run: @escaping @Sendable (inout FlowStep) throws -> FlowMove = { _ in .proceed() }
    ) -> FlowAction {
        FlowAction(
            "skip", "Skip to the next state.", suspension: suspension, run: { step, _ in try run(&step) })
    }

    /// `skip` of `password_creation`. Where passkeys are wanted only without a password, they come next.
    static let skipPassword = skip(
        suspension: { step in
            try step.obstacle(
                toSkipping: "password", isOptional: step.configuration.password.isOptional,
                hasOther: step.hasPasskey(), willHaveOther: step.mayStillMakePasskey)
        },
        run: { step in
            step.flow.stash.isPasswordSkipped = true
            let leadsOn =
                try step.passkeyAcquisition == .conditional && step.mayStillMakePasskey && !step.hasPasskey()
            return try step.goOn(to: leadsOn ? [.onboardingCreatePasskey] : [], isRevertible: true)
        })

    /// `skip` of `onboarding_create_passkey`. Where passwords are wanted only without a passkey, one comes next.
    static let skipPasskey = skip(
        suspension: { step in
            try step.obstacle(
                toSkipping: "passkey", isOptional: step.configuration.passkey.isOptional,
                hasOther: step.hasPassword(), willHaveOther: step.mayStillMakePassword)
        },
        run: { step in
            step.flow.stash.isPasskeySkipped = true
            let leadsOn =
                try step.passwordAcquisition == .conditional && step.mayStillMakePassword
                && !step.hasPassword()
            return try step.goOn(to: leadsOn ? [.passwordCreation] : [], isRevertible: true)
        })

    /// `skip` of `credential_onboarding_chooser`: neither password nor passkey.
    static let skipCredentials = skip(
        suspension: { step in
            if !step.configuration.password.isOptional { return "password.optional is false" }
            if !step.configuration.passkey.isOptional { return "passkey.optional is false" }
            return try step.canLogInByPasscode()
                ? nil : "the user would have nothing to sign in with: no address that passcodes go to"
        },
        run: { step in
            (step.flow.stash.isPasswordSkipped, step.flow.stash.isPasskeySkipped) = (true, true)
            return try step.goOn(isRevertible: true)
        })

    /// `skip` of `mfa_method_chooser`.
    static let skipMFA = skip(
        suspension: { $0.configuration.mfa.isOptional ? nil : "mfa.optional is false" })

    /// `skip` of `onboarding_username`.
    static let skipUsername = skip(
        suspension: { $0.configuration.username.isOptional ? nil : "username.optional is false" })

    /// `skip` of `onboarding_email`.
    static let skipEmail = skip(
        suspension: { $0.configuration.email.isOptional ? nil : "email.optional is false" })

    /// `skip` of `device_trust`.
    static let skipDeviceTrust = skip()
}

extension FlowStep {
    /// Why one of the two credentials cannot be skipped; nil when it can.
    ///
    /// Source: Hanko 2.7, Flow API.
    ///
    /// - Parameters:
    ///   - hasOther: the user has the other one.
    ///   - willHaveOther: the user may make the other one in this flow.
    fileprivate func obstacle(
        toSkipping credential: String, isOptional: Bool, hasOther: Bool, willHaveOther: Bool
    ) throws -> String? {
        if !isOptional { return "\(credential).optional is false" }
        if flow.previousState == .credentialOnboardingChooser { return "it was just chosen" }
        return try hasOther || willHaveOther || canLogInByPasscode()
            ? nil
            : "the user would have nothing to sign in with: no address that passcodes go to, and the other credential was "
                + "skipped or is never acquired"
    }

    fileprivate var mayStillMakePasskey: Bool {
        canUsePasskeys && passkeyAcquisition != .never && flow.stash.isPasskeySkipped != true
    }

    fileprivate var mayStillMakePassword: Bool {
        configuration.password.isEnabled && passwordAcquisition != .never
            && flow.stash.isPasswordSkipped != true
    }
}
