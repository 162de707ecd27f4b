import PlatformKit

/// What can be done to a registration from the console.
enum RegistrationAction: String, CaseIterable, Sendable {
    case commit, block, unblock, remove

    /// What can be done in a state, in the order of the page.
    static func possible(for activation: Activation, in state: Activation.State) -> [ConsoleRecord.Action] {
        let remove = ConsoleRecord.Action(Self.remove.rawValue, "Remove", isFinal: true)
        switch state {
        case .created: return [remove]
        case .pendingCommit: return [commit(activation), remove]
        case .active:
            let reason = ConsoleRecord.Input("reason", "Reason")
            return [ConsoleRecord.Action(Self.block.rawValue, "Block", inputs: [reason]), remove]
        case .blocked: return [ConsoleRecord.Action(Self.unblock.rawValue, "Unblock"), remove]
        case .removed: return []
        }
    }

    /// With the OTP, where one is checked at the commit.
    private static func commit(_ activation: Activation) -> ConsoleRecord.Action {
        let asksForOTP = activation.otp != nil && activation.commitPhase == .onCommit
        let otp = asksForOTP ? [ConsoleRecord.Input("otp", "Activation OTP", isRequired: true)] : []
        return ConsoleRecord.Action(Self.commit.rawValue, "Commit", inputs: otp)
    }
}
