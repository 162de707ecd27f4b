/// Everything a platform may not reach for by itself.
///
/// A class, because every platform value of every request refers to it, and some more than once.
package final class Services: Sendable {
    /// The world's time. Everything that expires is computed from it when read.
    package let clock: WallClock
    package let entropy: Entropy
    /// Mail, text messages and pushes, kept for the developer to read.
    package let outbox: Outbox
    /// Where domain events and their explanations go.
    package let journal: JournalNotes
    /// Calls to the back ends of others, made after the request.
    package let callbacks: Callbacks
    /// Calls to other servers that the request waits for.
    package var web: WebCalls { journal.platform.map(plainWeb.made(by:)) ?? plainWeb }
    private let plainWeb: WebCalls
    /// The signing keys that the fixtures brought.
    package let keys: KeyRing
    /// Values derived from fixtures that are worth keeping between requests.
    package let memo: Memo
    /// Wakes those who wait for a platform's state to change, such as long polls and WebSockets. A platform rings it after the
    /// transaction that changed something; a moved clock rings it too.
    package let changes: Bell
    /// For what tells as much as the control API does.
    package let controlToken: ControlToken
    /// By which addresses clients know this world.
    package let addresses: AddressBook
    /// Nil when all tokens are good ones.
    package let tokenAlterations: TokenAlterations?

    package init(
        clock: WallClock, entropy: Entropy, outbox: Outbox, journal: JournalNotes, callbacks: Callbacks,
        web: WebCalls, keys: KeyRing, memo: Memo, changes: Bell, controlToken: ControlToken = .none,
        addresses: AddressBook = AddressBook(), tokenAlterations: TokenAlterations? = nil
    ) {
        self.clock = clock
        self.entropy = entropy
        self.outbox = outbox
        self.journal = journal
        self.callbacks = callbacks
        plainWeb = web
        self.keys = keys
        self.memo = memo
        self.changes = changes
        self.controlToken = controlToken
        self.addresses = addresses
        self.tokenAlterations = tokenAlterations
    }

    /// The same services with others in the place of those that are given.
    package func replacing(
        clock: WallClock? = nil, outbox: Outbox? = nil, journal: JournalNotes? = nil,
        callbacks: Callbacks? = nil, web: WebCalls? = nil, controlToken: ControlToken? = nil,
        tokenAlterations: TokenAlterations? = nil
    ) -> Services {
        Services(
            clock: clock ?? self.clock, entropy: entropy, outbox: outbox ?? self.outbox,
            journal: journal ?? self.journal,
            callbacks: callbacks ?? self.callbacks, web: web ?? plainWeb, keys: keys, memo: memo,
            changes: changes, controlToken: controlToken ?? self.controlToken,
            addresses: addresses, tokenAlterations: tokenAlterations ?? self.tokenAlterations)
    }
}
