import Synchronization

/// The pen of a platform: events that belong to the request it is serving, and a remark on its answer.
package struct JournalNotes: Sendable {
    /// - Parameters: what happened in a few words, whom it is about, and a full sentence.
    package var write: @Sendable (_ event: String, _ subject: String?, _ explanation: String) -> Void
    /// Says what the answer means where its status does not: a check that failed is a success on the wire. It stands in the entry of
    /// the request, as the explanation of a refusal does.
    package var explain: @Sendable (_ explanation: String) -> Void
    /// Says whom the request is about. Whom its events are about need not be said again.
    package var concern: @Sendable (_ user: String) -> Void

    package init(
        write: @escaping @Sendable (String, String?, String) -> Void,
        explain: @escaping @Sendable (String) -> Void = { _ in },
        concern: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.write, self.explain, self.concern) = (write, explain, concern)
    }

    package func event(_ event: String, about subject: String? = nil, _ explanation: String) {
        write(event, subject, explanation)
    }
}

/// What a platform said of its answer to one request, and whom the request was about.
final class JournalRemark: Sendable {
    /// More than so many are a list, not what a request is about.
    private static let limit = 8

    private let sentences = Mutex<String?>(nil)
    private let subjects = Mutex<[String]>([])

    var text: String? { sentences.withLock { $0 } }
    var users: [String] { subjects.withLock { $0 } }

    func add(user: String) {
        subjects.withLock { if $0.count < Self.limit, !$0.contains(user) { $0.append(user) } }
    }

    func add(_ explanation: String) {
        sentences.withLock { $0 = $0.map { $0 + " " + explanation } ?? explanation }
    }
}
