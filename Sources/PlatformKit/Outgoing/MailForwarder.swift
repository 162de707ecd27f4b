/// Hands every mail of every world on to where the developer wants it besides the outbox: a mail server, a folder.
package struct MailForwarder: Sendable {
    /// A place that mails are handed to.
    package struct Destination: Sendable {
        /// For the journal, such as `relay mail:1025`.
        package let name: String
        package let send: @Sendable (Letter) throws -> Void

        package init(name: String, send: @escaping @Sendable (Letter) throws -> Void) {
            self.name = name
            self.send = send
        }
    }

    /// A destination with a queue of its own: one that is slow or down holds up no other mail's way to those before it.
    private struct Lane: Sendable {
        let destination: Destination
        let queue = OutgoingQueue()
    }

    private let lanes: [Lane]

    /// - Parameter destinations: each mail goes to them one after the other, so the quick ones come first.
    package init(_ destinations: [Destination]) {
        lanes = destinations.map { Lane(destination: $0) }
    }

    /// Waits for what is under way.
    package func stop() {
        for lane in lanes { lane.queue.stop() }
    }

    /// Queues `mail`; `done` is called when every destination has it.
    func forward(_ mail: Letter, journal: Journal, done: @escaping @Sendable (SentMessage) -> Void) {
        guard mail.sent.message.channel == .mail, !lanes.isEmpty else { return }
        forward(mail, along: lanes[...], journal: journal, done: done)
    }

    private func forward(
        _ mail: Letter, along lanes: ArraySlice<Lane>, journal: Journal,
        done: @escaping @Sendable (SentMessage) -> Void
    ) {
        guard let lane = lanes.first else { return done(mail.sent) }
        lane.queue.add(
            OutgoingQueue.Job(
                attempt: { try lane.destination.send(mail) },
                report: { attempts, failure, pause in
                    note(mail.sent, lane.destination.name, attempts, failure, pause, in: journal)
                    guard pause == nil else { return }
                    forward(mail, along: lanes.dropFirst(), journal: journal, done: done)
                }))
    }

    private func note(
        _ mail: SentMessage, _ destination: String, _ attempts: Int, _ failure: (any Error)?,
        _ pause: Double?,
        in journal: Journal
    ) {
        let what = "Mail \(mail.id), “\(mail.message.subject)”, \(destination)"
        let told = what + ": " + Self.outcome(attempts, failure, pause)
        journal.append(
            JournalEntry(
                .event, at: mail.sentAt, event: failure == nil ? "mail forwarded" : "mail not forwarded",
                subject: mail.message.to.address, explanation: told))
    }

    private static func outcome(_ attempts: Int, _ failure: (any Error)?, _ pause: Double?) -> String {
        guard let failure else { return "handed over" + (attempts > 1 ? " at attempt \(attempts)." : ".") }
        guard let pause else { return "given up, because trying again would not help: \(failure)." }
        return "attempt \(attempts) failed: \(failure). The next one follows in \(pause) s."
    }
}
