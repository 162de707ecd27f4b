/// Why nothing can be done to a transaction from outside.
package enum TransactionRefusal: Refusal, Equatable {
    case unknown(String)
    case actionUnknown(String, known: [String])
    /// Its state, in which the action makes no sense any more.
    case tooLate(String, state: String)
    /// Nobody can act for the user: a sentence that says what is missing.
    case impossible(String)

    package var explanation: String {
        switch self {
        case .unknown(let id): "There is no transaction “\(id)”."
        case .actionUnknown(let action, let known):
            "There is no action “\(action)” here, only "
                + (known.isEmpty ? "none" : known.joined(separator: ", ")) + "."
        case .tooLate(let action, let state):
            "The action “\(action)” comes too late: the transaction is \(state)."
        case .impossible(let reason): reason
        }
    }
}
