/// Why a record was not made or not changed from outside.
package enum RecordRefusal: Refusal, Equatable {
    case unknown(String)
    case kindUnknown(String, known: [String])
    case actionUnknown(String, known: [String])
    case inputMissing(String)
    /// A value that makes no sense: a sentence that says what was expected and what came.
    case inputWrong(String)
    case impossible(String)

    package var explanation: String {
        switch self {
        case .unknown(let id): "There is no record “\(id)”."
        case .kindUnknown(let kind, let known):
            "No “\(kind)” can be created here, only " + list(known) + "."
        case .actionUnknown(let action, let known):
            "There is no action “\(action)” here, only " + list(known) + "."
        case .inputMissing(let name): "The value “\(name)” is missing."
        case .inputWrong(let reason), .impossible(let reason): reason
        }
    }

    private func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
}
