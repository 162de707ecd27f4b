import PlatformKit

/// A change of state, as the API gives it.
struct StepShape: Encodable {
    let state: String
    let at: String

    init(_ step: Transaction.Step) {
        state = step.state
        at = Timestamp.text(step.at)
    }
}
