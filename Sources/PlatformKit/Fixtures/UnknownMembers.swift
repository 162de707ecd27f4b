import Synchronization

/// A member that a shape does not know.
package struct UnknownMember: Sendable, Equatable {
    package let path: [String]
    /// `; did you mean “x”?`, or nothing.
    package let question: String
}

/// What is met on the way through a file.
final class UnknownMembers: Sendable {
    private let found = Mutex<[UnknownMember]>([])

    var all: [UnknownMember] { found.withLock { $0 } }

    func note(_ path: [String], _ question: String) {
        found.withLock { $0.append(UnknownMember(path: path, question: question)) }
    }
}
