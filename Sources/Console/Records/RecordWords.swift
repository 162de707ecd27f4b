import PlatformKit

/// States of records in plain words, for people: platforms spell the same state in different ways.
enum RecordWords {
    /// A state in its own words, in lower case.
    static func word(_ state: String) -> String { state.lowercased().replacing("_", with: " ") }

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
