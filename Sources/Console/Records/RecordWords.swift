import PlatformKit

/// States of records in plain words, for people: platforms spell the same state in different ways.
enum RecordWords {
    /// A state in its own words, in lower case.
    static func word(_ state: String) -> String { state.lowercased().replacing("_", with: " ") }

    /// The class of the pages' style sheet: green for what works, blue for what is on its way, red for what is stopped.
    static func outcome(_ state: String) -> String {
        switch word(state) {
        case "active", "enabled", "verified", "enrolled", "registered": "good"
        case "blocked", "locked", "disabled", "suspended", "expired", "revoked", "removed", "deleted":
            "refused"
        default: "moved"
        }
    }
}
