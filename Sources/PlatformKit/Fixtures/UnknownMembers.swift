import Synchronization

/// A member that a shape does not know.
package struct UnknownMember: Sendable, Equatable {
    package let path: [String]
    /// `; did you mean “x”?`, or nothing. Only the first members have one.
    package let question: String
}

/// What is met on the way through a file.
final class UnknownMembers: Sendable {
    private let found = Mutex<[UnknownMember]>([])

    var all: [UnknownMember] { found.withLock { $0 } }

    /// Members for which a word that was meant is looked for: nobody reads further, and a file can have tens of thousands.
    private static let mostQuestions = 20

    func note(_ path: [String], _ question: () -> String) {
        let isAmongFirst = found.withLock { $0.count < Self.mostQuestions }
        let member = UnknownMember(path: path, question: isAmongFirst ? question() : "")
        found.withLock { $0.append(member) }
    }
}
