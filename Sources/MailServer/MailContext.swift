package import Mail
import Sockets
import Synchronization

/// What all sessions of one server share.
final class MailContext: Sendable {
    let limits: MailLimits
    let tls: TLSContext?
    let budget: MemoryBudget
    /// When the server began to stop, in ``System/uptime``, as the bits of a `Double`; 0 before that.
    private let stopping = Atomic<UInt64>(0)

    init(_ limits: MailLimits, _ budget: MemoryBudget, _ tls: TLSContext?) {
        self.limits = limits
        self.tls = tls
        self.budget = budget
    }

    var stoppedAt: Double { Double(bitPattern: stopping.load(ordering: .acquiring)) }
    func beginStopping() { stopping.store(System.uptime.bitPattern, ordering: .releasing) }
}

/// Who brings mail.
package struct MailClient: Sendable, Equatable {
    /// Numeric.
    package let address: String
    package init(address: String) { self.address = address }
}

/// What a server of mails gives them to. Called on the server's threads, and must not wait for other clients.
package protocol MailReceiver: Sendable {
    /// Keeps a mail, for all of its recipients or for none.
    ///
    /// - Returns: what names it in the reply, such as `kept as 17 in default`; or why it is not kept, of which the receiver has told.
    func take(_ mail: [UInt8], _ envelope: Envelope, from client: MailClient) -> Result<String, MailFault>
    /// Is told why a client was refused.
    func note(_ fault: MailFault, _ envelope: Envelope, from client: MailClient)
}
