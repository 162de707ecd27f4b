package import SQLite

/// The tables of a standard that more than one platform speaks.
package struct Schema: Sendable {
    /// Lower case, stable: `"openid"`.
    package let name: String
    /// Oldest first. Append to the list; a shipped step is never edited.
    package let steps: [SQL]

    package init(_ name: String, _ steps: [SQL]) {
        self.name = name
        self.steps = steps
    }
}
