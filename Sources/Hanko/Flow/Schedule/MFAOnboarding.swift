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
