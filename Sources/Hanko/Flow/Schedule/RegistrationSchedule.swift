/// What follows on a free identifier. Source: Hanko 2.7, Flow API.
struct RegistrationSchedule: Sendable {
    /// An address was given, and addresses must be confirmed.
    let needsConfirmation: Bool
    let credentials: CredentialSchedule

    var states: [FlowState] {
        (needsConfirmation ? [.passcodeConfirmation] : []) + credentials.states + [.success]
    }
}
