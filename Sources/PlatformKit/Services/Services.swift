/// Everything a platform may not reach for by itself.
package struct Services: Sendable {
    /// The world's time. Everything that expires is computed from it when read.
    package var clock: WallClock
    package var entropy: Entropy
    /// Mail, text messages and pushes, kept for the developer to read.
    package var outbox: Outbox
    /// Where domain events and their explanations go.
    package var journal: JournalNotes
    /// Calls to the back ends of others, made after the request.
    package var callbacks: Callbacks
    /// Calls to other servers that the request waits for.
    package var web: WebCalls
    /// The signing keys that the fixtures brought.
    package var keys: KeyRing
    /// Values derived from fixtures that are worth keeping between requests.
    package var memo: Memo

    package init(
        clock: WallClock, entropy: Entropy, outbox: Outbox, journal: JournalNotes, callbacks: Callbacks,
        web: WebCalls, keys: KeyRing, memo: Memo
    ) {
        self.clock = clock
        self.entropy = entropy
        self.outbox = outbox
        self.journal = journal
        self.callbacks = callbacks
        self.web = web
        self.keys = keys
        self.memo = memo
    }
}
