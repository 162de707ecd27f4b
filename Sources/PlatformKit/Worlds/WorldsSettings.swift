package import Essentials

/// How worlds are kept.
package struct WorldsSettings: Sendable {
    /// Where each world is kept in a file of its own; nil keeps them in memory.
    package var dataFolder: String?
    /// Makes every world repeatable; nil leaves chance to the system.
    package var seed: UInt64?
    /// Seconds after which an untouched world in memory is dropped.
    package var idleSeconds = 3600.0
    package var worldLimit = 20_000
    /// Memory for the journals of all worlds, and for the messages of all that are kept in memory.
    package var journals = KeptBudget(most: 128 * 1024 * 1024)
    package var journalRoom = JournalRoom.standard
    package var outboxes = KeptBudget(most: 128 * 1024 * 1024)
    /// Which world gave out what.
    package var issued = IssuedIDs()
    /// The time that the worlds' clocks follow.
    package var realTime: @Sendable () -> Date = { Date() }
    /// Is told of every handler that waits for another server.
    package var waits: WaitNotice?
    /// Certificates (PEM) that callbacks and calls to other servers trust beside those of the system, such as our own.
    package var certificates: String?
    /// Called when many worlds were dropped: has the allocator give the system what is free.
    package var giveBackMemory: @Sendable () -> Void = {}
    /// Real services in the place of platforms.
    package var upstreams = UpstreamSettings()
    /// Hands mails on; nil keeps them in the outbox alone.
    package var forwarder: MailForwarder?
    /// Is told of every push, with the name of its world, after it is in the outbox; must not wait.
    package var pushed: @Sendable (String, Message) -> Void = { _, _ in }
    /// What worlds have to do by themselves.
    package var duties: WorldDuties?
    /// Lends its signing keys to fixtures that bring none; read when somebody needs them.
    package let builtInFixtures: @Sendable () throws -> FixtureSet

    package init(builtInFixtures: @autoclosure @escaping @Sendable () throws -> FixtureSet) {
        self.builtInFixtures = builtInFixtures
    }
}
