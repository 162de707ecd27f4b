package import Mail
package import Sockets
import Synchronization

/// A server that takes mail by SMTP and gives it to a receiver.
///
/// A few threads share one poller; the thread that takes an event reads, obeys, gives the mail away and writes. A client that is slow
/// or quiet costs no thread. Not here: where mail goes, and what is said of it.
package final class MailServer: Sendable {
    private let context: MailContext
    private let receiver: any MailReceiver
    private let running = Mutex<Running?>(nil)

    private struct Running: Sendable {
        let engine: MailEngine
        let threads: [Thread]
    }

    /// - Parameters:
    ///   - memory: of mails on their way and while they are handled; who needs more gets a 452.
    ///   - tls: a context with a certificate, which STARTTLS needs.
    package init(limits: MailLimits, memory: MemoryBudget, tls: TLSContext?, receiver: any MailReceiver) {
        var limits = limits
        limits.freeBytes = MailSession.freeBytes
        context = MailContext(limits, memory, tls)
        self.receiver = receiver
    }

    deinit { stop(grace: 0) }

    /// Listens on all of `addresses`. A server is started once.
    ///
    /// - Throws: ``SocketError``. Nothing stays open then.
    package func start(on addresses: [ListenAddress]) throws -> [BoundAddress] {
        System.ignoreBrokenPipes()
        var listeners: [Listener] = []
        do {
            for address in addresses { listeners += try Listener.open(address) }
            let engine = try MailEngine(context, listeners, receiver)
            let threads = try engine.hire()
            running.withLock { $0 = Running(engine: engine, threads: threads) }
            try engine.openAcceptors()
            return listeners.map(\.bound)
        } catch {
            for listener in listeners { listener.close() }
            throw error
        }
    }

    /// Lets nobody connect any more, tells sessions without a mail that the server stops, lets mails that have begun come for at most
    /// `seconds`, closes what is left, and joins the threads. Further calls do nothing.
    package func stop(grace seconds: Double) {
        let stopped = running.withLock { running in
            defer { running = nil }
            return running
        }
        guard let stopped else { return }
        stopped.engine.stop(by: System.uptime + seconds)
        for thread in stopped.threads { thread.join() }
        stopped.engine.empty()
    }
}
