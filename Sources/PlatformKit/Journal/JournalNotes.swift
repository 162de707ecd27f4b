import Synchronization

/// The pen of a platform: events that belong to the request it is serving, and a remark on its answer.
package struct JournalNotes: Sendable {
    /// - Parameters: what happened in a few words, whom it is about, and a full sentence.
    package var write: @Sendable (_ event: String, _ subject: String?, _ explanation: String) -> Void
    /// Says what the answer means where its status does not: a check that failed is a success on the wire. It stands in the entry of
    /// the request, as the explanation of a refusal does.
    package var explain: @Sendable (_ explanation: String) -> Void

    package init(
        write: @escaping @Sendable (String, String?, String) -> Void,
        explain: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.write, self.explain) = (write, explain)
    }

    package func event(_ event: String, about subject: String? = nil, _ explanation: String) {
        write(event, subject, explanation)
    }
}

/// What a platform said of its answer to one request.
final class JournalRemark: Sendable {
    private let sentences = Mutex<String?>(nil)

    var text: String? { sentences.withLock { $0 } }

    func add(_ explanation: String) {
        sentences.withLock { $0 = $0.map { $0 + " " + explanation } ?? explanation }
    }
}
