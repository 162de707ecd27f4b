import Console

/// A transaction, as the control API tells it.
struct TransactionView: Decodable {
    struct Step: Decodable {
        let state: String
    }

    let id: String
    let kind: String
    let title: String
    let user: String?
    let state: String
    /// Whether the state can still change.
    let open: Bool
    let secondsLeft: Int?
    /// URL of the page with the QR code.
    let page: String?
    let steps: [Step]

    /// `waiting`, `confirmed by ada`.
    var sentence: String { TransactionWords.sentence(state: state, user: user) }

    var isConfirmed: Bool { TransactionWords.isConfirmed(state) }

    /// The states after the first `told` ones, in words; the last is the present one, which time alone may have brought.
    func news(after told: Int) -> [String] {
        let states = steps.map(\.state)
        let isUntold = !open && states.last != state
        return (states + (isUntold ? [state] : [])).dropFirst(told).map {
            TransactionWords.sentence(state: $0, user: user)
        }
    }
}
