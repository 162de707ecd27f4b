import Mail
import Sockets
import Synchronization

/// What all sessions of one server share.
final class MailContext: Sendable {
    let limits: MailLimits
    let tls: TLSContext?
    let budget: MemoryBudget
    /// When the server began to stop, in ``System/uptime``, as the bits of a `Double`; 0 before that.
    private let stopping = Atomic<UInt64>(0)

    init(_ limits: MailLimits, _ tls: TLSContext?) {
        self.limits = limits
        self.tls = tls
        budget = MemoryBudget(most: limits.memory)
    }

    var stoppedAt: Double { Double(bitPattern: stopping.load(ordering: .acquiring)) }
    func beginStopping() { stopping.store(System.uptime.bitPattern, ordering: .releasing) }
}
