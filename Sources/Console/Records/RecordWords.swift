import PlatformKit

extension String {
    /// What something without a title is called, wherever it comes up.
    var shownTitle: String { isEmpty ? "(no text)" : self }
}

/// States of records in plain words, for people: platforms spell the same state in different ways.
enum RecordWords {
    /// A state in its own words, in lower case.
    static func word(_ state: String) -> String { state.lowercased().replacing("_", with: " ") }

    /// How many there are of each kind: `2 devices, 1 user`.
    static func counted(_ records: [ConsoleRecord]) -> String {
        let counts = Dictionary(records.map { ($0.kind, 1) }, uniquingKeysWith: +)
        return counts.sorted { $0.key < $1.key }.map { kind, count in
            let word = word(kind)
            if count == 1 { return "1 \(word)" }
            return "\(count) " + (word.hasSuffix("y") ? word.dropLast() + "ies" : word + "s")
        }.joined(separator: ", ")
    }

    /// The class of the pages' style sheet: green for what works, blue for what is on its way, red for what is stopped.
    ///
    /// What stands behind a comma is a remark: “active, with second factor”.
    static func outcome(_ state: String) -> String {
        switch word(state).prefix(while: { $0 != "," }) {
        case "active", "enabled", "verified", "enrolled", "registered", "open", "success": "good"
        case "blocked", "locked", "disabled", "suspended", "expired", "revoked", "removed", "deleted",
            "error":
            "refused"
        default: "moved"
        }
    }
}
