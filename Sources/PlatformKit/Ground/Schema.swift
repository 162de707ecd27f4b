package import SQLite

/// The tables of a standard that more than one platform speaks.
package struct Schema: Sendable {
    /// Lower case, stable: `"openid"`.
    package let name: String
    /// Oldest first. Append to the list; a shipped step is never edited.
    package let steps: [SQL]
    /// What the rows of its tables are.
    package let records: [any Record.Type]

    package init(_ name: String, _ steps: [SQL], records: [any Record.Type]) {
        self.name = name
        self.steps = steps
        self.records = records
    }
}
