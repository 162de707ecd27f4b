/// The pen of a platform: events that belong to the request it is serving.
package struct JournalNotes: Sendable {
    /// - Parameters: what happened in a few words, whom it is about, and a full sentence.
    package var write: @Sendable (_ event: String, _ subject: String?, _ explanation: String) -> Void

    package init(write: @escaping @Sendable (String, String?, String) -> Void) { self.write = write }

    package func event(_ event: String, about subject: String? = nil, _ explanation: String) {
        write(event, subject, explanation)
    }
}
