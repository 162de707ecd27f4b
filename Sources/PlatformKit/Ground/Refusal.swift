/// An error that is part of the conversation: the wire form is terse, the explanation goes to the journal.
///
/// An error of any other type that leaves a handler is a bug of ours and is logged as one.
package protocol Refusal: Error {
    /// What was expected, what came, and where to look: one sentence or more, each with a capital and a full stop.
    var explanation: String { get }
}
