/// Hands every mail of every world on to where the developer wants it besides the outbox: a mail server, a folder.
package struct MailForwarder: Sendable {
    /// A place that mails are handed to.
    package struct Destination: Sendable {
        /// For the journal, such as `relay mail:1025`.
        package let name: String
        package let send: @Sendable (SentMessage) throws -> Void

        package init(name: String, send: @escaping @Sendable (SentMessage) throws -> Void) {
            self.name = name
            self.send = send
        }
    }

    let destinations: [Destination]
    let queue: OutgoingQueue

    package init(_ destinations: [Destination], queue: OutgoingQueue) {
        self.destinations = destinations
        self.queue = queue
    }

    /// Queues `mail`; `done` is called when every destination has it.
    func forward(_ mail: SentMessage, journal: Journal, done: @escaping @Sendable (SentMessage) -> Void) {
        guard mail.message.channel == .mail, !destinations.isEmpty else { return }
        forward(mail, to: destinations[...], journal: journal, done: done)
    }

    private func forward(
        _ mail: SentMessage, to destinations: ArraySlice<Destination>, journal: Journal,
        done: @escaping @Sendable (SentMessage) -> Void
    ) {
        guard let destination = destinations.first else { return done(mail) }
        queue.add(
            OutgoingQueue.Job(
                attempt: { try destination.send(mail) },
                report: { attempts, failure, pause in
                    note(mail, destination.name, attempts, failure, pause, in: journal)
                    if failure == nil {
                        forward(mail, to: destinations.dropFirst(), journal: journal, done: done)
                    }
                }))
    }

    private func note(
        _ mail: SentMessage, _ destination: String, _ attempts: Int, _ failure: (any Error)?,
        _ pause: Double?,
        in journal: Journal
    ) {
        let what = "Mail \(mail.id), \u{AB}\(mail.message.subject)\u{BB}, \(destination)"
        let told =
            failure.map { "\(what): attempt \(attempts) failed: \($0); the next one in \(pause ?? 0) s." }
            ?? "\(what): handed over\(attempts > 1 ? " at attempt \(attempts)" : "")."
        journal.append(
            JournalEntry(
                .event, at: mail.sentAt, event: failure == nil ? "mail forwarded" : "mail not forwarded",
                subject: mail.message.to.address, explanation: told))
    }
}
