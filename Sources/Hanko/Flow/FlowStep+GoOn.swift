import Essentials

extension FlowStep {
    /// The first factor of a login was right: what is missing yet is scheduled.
    mutating func signIn(by method: FlowStash.LoginMethod) throws -> FlowMove {
        flow.stash.loginMethod = method
        let account = try requireAccount()
        let isRecoveryPending = flow.stash.isRecoveryPending == true
        let isTrusted = try isDeviceTrusted(by: account.id)
        let mfa = configuration.mfa
        let schedule = LoginSchedule(
            method: method,
            secondFactor: .init(
                isEnabled: mfa.isEnabled, isDeviceTrusted: isTrusted,
                hasSecurityKey: mfa.offersSecurityKeys && !account.securityKeys.isEmpty,
                canUseSecurityKey: canUseSecurityKeys,
                hasTOTP: mfa.offersTOTP && account.otpSecret != nil),
            isRecoveryPending: isRecoveryPending,
            missesUsername: missesUsername(account, in: flow.kind),
            missesEmail: missesEmail(account, in: flow.kind),
            credentials: try credentialSchedule(withPassword: !isRecoveryPending),
            promptsForTrust: mfa.deviceTrust == .prompt)
        guard let states = schedule.states else {
            throw FlowRefusal.platformAuthenticatorRequired(
                "The user \(account.id) has a security key as the only second factor, which this device cannot use: "
                    + "\(securityKeyObstacle ?? "it reported none"). There is no authenticator app to use instead."
            )
        }
        note(
            "first factor accepted",
            "The user \(account.id) signed in by \(method.rawValue)."
                + (isTrusted ? " The device is trusted, so no second factor is asked for." : "")
                + " What follows: \(states.map(\.rawValue).joined(separator: ", ")).")
        return try goOn(to: states, isRevertible: false)
    }

    /// Goes on after a step that may have been the last one about passcode, password or passkey: then it is the time for a
    /// second factor, if one is wanted.
    mutating func goOn(to states: [FlowState] = [], isRevertible: Bool) throws -> FlowMove {
        // Who is signed in and changes the account is asked for nothing else.
        if flow.kind == .profile { return .proceed(states, isRevertible: isRevertible) }
        let mfa = configuration.mfa
        let scheduled = states + flow.schedule
        let onboarding = MFAOnboarding(
            offersTOTP: mfa.offersTOTP, offersSecurityKeys: mfa.offersSecurityKeys,
            canMakeSecurityKey: canUseSecurityKeys, isOptional: mfa.isOptional,
            isAcquired: flow.stash.loginMethod != .thirdParty
                && (flow.kind == .login ? mfa.acquiresOnLogin : mfa.acquiresOnRegistration),
            hasFirstFactor: try hasPassword() || canLogInByPasscode(),
            hasSecondFactor: try hasSecondFactor(),
            isChooserKnown: flow.knows(.mfaMethodChooser) || scheduled.contains(.mfaMethodChooser),
            isPasswordStillScheduled: scheduled.contains(.passwordCreation)
                || scheduled.contains(.loginPasswordRecovery))
        switch onboarding.verdict {
        case .notNow: return .proceed(states, isRevertible: isRevertible)
        case .chooser:
            note(
                "second factor wanted",
                "MFA is enabled and the user has no second factor yet, so \(FlowState.mfaMethodChooser.rawValue) comes next."
            )
            return .proceed([.mfaMethodChooser] + states, isRevertible: isRevertible)
        case .impossible:
            throw FlowRefusal.platformAuthenticatorRequired(
                "A second factor must be set up (mfa.optional is false), but authenticator apps are disabled, and: "
                    + "\(securityKeyObstacle ?? "security keys are not possible").")
        }
    }
}
