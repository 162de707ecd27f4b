/// A kind of record or of transaction that can be made from outside, and what that asks for.
package struct NewRecord: Sendable, Equatable {
    /// The ``ConsoleRecord/kind`` or ``Transaction/kind`` of what comes of it.
    package let kind: String
    /// What the button says: `Start a registration`.
    package let title: String
    package let inputs: [ConsoleRecord.Input]

    package init(kind: String, title: String, inputs: [ConsoleRecord.Input]) {
        (self.kind, self.title, self.inputs) = (kind, title, inputs)
    }
}
