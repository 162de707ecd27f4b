package import PlatformKit

/// States of transactions in plain words, for people: platforms spell the same state in different ways.
package enum TransactionWords {
    /// How a state looks: the class of the pages' style sheet.
    enum Outcome: String {
        case moved, good, refused, broken
    }

    /// `waiting`, `fetched`, `confirmed by ada`.
    package static func sentence(_ transaction: Transaction) -> String {
        sentence(state: transaction.state, user: transaction.user)
    }

    /// - Parameter user: who acted; told where somebody did.
    package static func sentence(state: String, user: String?) -> String {
        let word = word(state)
        guard let user, ["confirmed", "denied"].contains(word) else { return word }
        return "\(word) by \(user)"
    }

    /// Whether the user said yes.
    package static func isConfirmed(_ state: String) -> Bool { word(state) == "confirmed" }

    static func outcome(_ transaction: Transaction) -> Outcome {
        if transaction.isOpen { return .moved }
        return switch word(transaction.state) {
        case "confirmed": .good
        case "failed": .broken
        default: .refused
        }
    }

    /// A state that is not on the list is told in its own words.
    static func word(_ state: String) -> String {
        switch state.uppercased() {
        case "INITIALIZED", "PENDING": "waiting"
        case "AUTHENTICATED", "APPROVED": "confirmed"
        case "DENIED", "REJECTED": "denied"
        case "CANCELED", "CANCELLED": "cancelled"
        default: state.lowercased().replacing("_", with: " ")
        }
    }

    /// What a button says that does `action`: `Confirm`, `Confirm as ada`.
    static func button(_ action: String) -> String {
        let parts = action.split(separator: ":", maxSplits: 1).map(String.init)
        guard let verb = parts.first, let first = verb.first else { return action }
        let name = first.uppercased() + verb.dropFirst()
        return parts.count > 1 ? "\(name) as \(parts[1])" : name
    }

    /// `87 s left`, `12 min left`.
    static func left(_ seconds: Int) -> String {
        seconds < 600 ? "\(seconds) s left" : "\(seconds / 60) min left"
    }
}
