/// What follows on the first factor of a login. Source: Hanko 2.7, Flow API.
struct LoginSchedule: Sendable {
    let method: FlowStash.LoginMethod
    let secondFactor: SecondFactor
    let isRecoveryPending: Bool
    let missesUsername: Bool
    let missesEmail: Bool
    let credentials: CredentialSchedule
    /// The policy is `prompt`.
    let promptsForTrust: Bool

    struct SecondFactor: Sendable, Equatable {
        /// MFA is enabled.
        let isEnabled: Bool
        let isDeviceTrusted: Bool
        let hasSecurityKey: Bool
        /// Security keys are enabled, and the device can use the kind that is configured.
        let canUseSecurityKey: Bool
        let hasTOTP: Bool

        /// A security key is all that the user has, and useless here.
        var isImpossible: Bool { hasSecurityKey && !canUseSecurityKey && !hasTOTP }

        var state: FlowState? {
            if hasSecurityKey, canUseSecurityKey { return .loginSecurityKey }
            return hasTOTP ? .loginOTP : nil
        }

        func isAsked(after method: FlowStash.LoginMethod) -> Bool {
            isEnabled && (method == .password || method == .passcode) && !isDeviceTrusted
        }
    }

    /// Nil when the second factor cannot be asked for on this device.
    var states: [FlowState]? {
        let asksForSecond = secondFactor.isAsked(after: method)
        if asksForSecond, secondFactor.isImpossible { return nil }
        var states: [FlowState] = []
        if asksForSecond, let second = secondFactor.state { states.append(second) }
        if isRecoveryPending { states.append(.loginPasswordRecovery) }
        if missesUsername { states.append(.onboardingUsername) }
        if missesEmail { states.append(.onboardingEmail) }
        states += credentials.states
        let hasSecond = secondFactor.hasSecurityKey || secondFactor.hasTOTP
        if promptsForTrust, asksForSecond, hasSecond { states.append(.deviceTrust) }
        return states + [.success]
    }
}

/// Whether somebody is asked to set up a second factor now. Source: Hanko 2.7, Flow API.
struct MFAOnboarding: Sendable {
    let offersTOTP: Bool
    let offersSecurityKeys: Bool
    /// The device can make the kind of security key that is configured.
    let canMakeSecurityKey: Bool
    let isOptional: Bool
    /// The configuration wants it in this flow.
    let isAcquired: Bool
    /// The user has a password, or an address that passcodes go to.
    let hasFirstFactor: Bool
    let hasSecondFactor: Bool
    /// The chooser was shown before, or will be.
    let isChooserKnown: Bool
    let isPasswordStillScheduled: Bool

    enum Verdict: Sendable, Equatable {
        case notNow
        case chooser
        /// Nothing of what must be set up can be, on this device.
        case impossible
    }

    var verdict: Verdict {
        guard offersTOTP || offersSecurityKeys, isAcquired, hasFirstFactor, !hasSecondFactor, !isChooserKnown,
            !isPasswordStillScheduled
        else { return .notNow }
        if offersTOTP || (offersSecurityKeys && canMakeSecurityKey) { return .chooser }
        return isOptional ? .notNow : .impossible
    }
}
