/// A kind of record or of transaction that can be made from outside, and what that asks for.
package struct NewRecord: Sendable, Equatable {
    /// The ``Record/kind`` or ``Transaction/kind`` of what comes of it.
    package let kind: String
    /// What the button says: `Start a registration`.
    package let title: String
    package let inputs: [Record.Input]

    package init(kind: String, title: String, inputs: [Record.Input]) {
        (self.kind, self.title, self.inputs) = (kind, title, inputs)
    }
}
