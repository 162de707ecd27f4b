extension FlowState {
    /// What happens before the state is shown, in this order.
    var hooks: [FlowHook] {
        switch self {
        case .passcodeConfirmation: [.sendPasscode]
        case .success: [.makeUser, .openSession, .showProfile]
        default: []
        }
    }
}
