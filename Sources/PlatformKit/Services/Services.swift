/// Everything a platform may not reach for by itself.
///
/// A class, because every platform value of every request refers to it, and some more than once.
package final class Services: Sendable {
    /// Where domain events and their explanations go.
    package let journal: JournalNotes
    /// Calls to the back ends of others, made after the request.
    package let callbacks: Callbacks
    /// For what tells as much as the control API does.
    package let controlToken: ControlToken
    /// Nil when all tokens are good ones.
    package let tokenAlterations: TokenAlterations?
    private let common: Common

    /// What all requests of a world have in common, mostly: one reference instead of twenty for each of them.
    private final class Common: Sendable {
        let clock: WallClock
        let entropy: Entropy
        let outbox: Outbox
        let web: WebCalls
        let keys: KeyRing
        let memo: Memo
        let changes: Bell
        let addresses: AddressBook

        init(
            clock: WallClock, entropy: Entropy, outbox: Outbox, web: WebCalls, keys: KeyRing, memo: Memo,
            changes: Bell, addresses: AddressBook
        ) {
            (self.clock, self.entropy, self.outbox, self.web) = (clock, entropy, outbox, web)
            (self.keys, self.memo, self.changes, self.addresses) = (keys, memo, changes, addresses)
        }
    }

    /// The world's time. Everything that expires is computed from it when read.
    package var clock: WallClock { common.clock }
    package var entropy: Entropy { common.entropy }
    /// Mail, text messages and pushes, kept for the developer to read.
    package var outbox: Outbox { common.outbox }
    /// Calls to other servers that the request waits for.
    package var web: WebCalls { journal.platform.map(common.web.made(by:)) ?? common.web }
    /// The signing keys that the fixtures brought.
    package var keys: KeyRing { common.keys }
    /// Values derived from fixtures that are worth keeping between requests.
    package var memo: Memo { common.memo }
    /// Wakes those who wait for a platform's state to change, such as long polls and WebSockets. A platform rings it after the
    /// transaction that changed something; a moved clock rings it too.
    package var changes: Bell { common.changes }
    /// By which addresses clients know this world.
    package var addresses: AddressBook { common.addresses }

    package convenience init(
        clock: WallClock, entropy: Entropy, outbox: Outbox, journal: JournalNotes, callbacks: Callbacks,
        web: WebCalls, keys: KeyRing, memo: Memo, changes: Bell
    ) {
        self.init(
            journal, callbacks, .none, nil,
            Common(
                clock: clock, entropy: entropy, outbox: outbox, web: web, keys: keys, memo: memo,
                changes: changes, addresses: AddressBook()))
    }

    private init(
        _ journal: JournalNotes, _ callbacks: Callbacks, _ controlToken: ControlToken,
        _ tokenAlterations: TokenAlterations?, _ common: Common
    ) {
        (self.journal, self.callbacks, self.controlToken) = (journal, callbacks, controlToken)
        (self.tokenAlterations, self.common) = (tokenAlterations, common)
    }

    /// The same services for one request.
    func serving(_ journal: JournalNotes, _ callbacks: Callbacks, _ token: ControlToken) -> Services {
        Services(journal, callbacks, token, tokenAlterations, common)
    }

    /// The same services with others in the place of those that are given.
    package func replacing(
        clock: WallClock? = nil, outbox: Outbox? = nil, callbacks: Callbacks? = nil, web: WebCalls? = nil,
        tokenAlterations: TokenAlterations? = nil
    ) -> Services {
        let isCommon = clock == nil && outbox == nil && web == nil
        return Services(
            journal, callbacks ?? self.callbacks, controlToken, tokenAlterations ?? self.tokenAlterations,
            isCommon
                ? common
                : Common(
                    clock: clock ?? common.clock, entropy: common.entropy, outbox: outbox ?? common.outbox,
                    web: web ?? common.web, keys: common.keys, memo: common.memo, changes: common.changes,
                    addresses: common.addresses))
    }
}
