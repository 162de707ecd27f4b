import Essentials
package import PlatformKit

/// A platform, as pages and lists introduce it.
package struct PlatformCard: Sendable {
    package let name: String
    package let title: String
    /// First path segments, the main one first.
    package let mounts: [String]
    /// Pages to try in a browser, below the main mount.
    let pages: [PageLink]
    /// What waits for a decision in a world, or did lately.
    let transactions: @Sendable (World) throws -> [Transaction]
    /// Does an action to the transaction with this id.
    let perform: @Sendable (_ action: String, _ id: String, World) throws -> Void
    /// What it keeps, newest first.
    let records: @Sendable (World) throws -> [ConsoleRecord]
    let record: @Sendable (_ id: String, World) throws -> ConsoleRecord?
    /// What can be made there.
    let newRecords: @Sendable (World) throws -> [NewRecord]
    /// Makes something, and gives its id.
    let makeRecord: @Sendable (_ kind: String, _ inputs: [String: String], World) throws -> String
    /// Does an action to the record with this id.
    let performOnRecord:
        @Sendable (_ action: String, _ id: String, _ inputs: [String: String], World) throws -> Void
    /// A user as an entry of the fixtures.
    let user: @Sendable (_ id: String, World) throws -> JSONValue?
    let changeUser: @Sendable (_ id: String, UserChange, World) throws -> (entry: JSONValue, isNew: Bool)
    /// What can be minted, and the mint.
    let tokenKinds: [TokenKind]
    let mint: @Sendable (MintOrder, World) throws -> MintedToken
    /// What ends by itself there.
    let expiring: [Expiring]
    /// Paths at the root of the server.
    let hostPaths: [String]
    /// What a caller is set up with.
    let setup: @Sendable (Setup.Place, World) throws -> Setup?

    /// A platform by name alone, without transactions and records.
    package init(name: String, title: String, mounts: [String]) {
        self.name = name
        self.title = title
        self.mounts = mounts
        pages = []
        transactions = { _ in [] }
        perform = { action, _, _ in throw TransactionRefusal.actionUnknown(action, known: []) }
        records = { _ in [] }
        record = { _, _ in nil }
        newRecords = { _ in [] }
        makeRecord = { kind, _, _ in throw RecordRefusal.kindUnknown(kind, known: []) }
        performOnRecord = { _, id, _, _ in throw RecordRefusal.unknown(id) }
        user = { _, _ in throw UserRefusal.notKept(platform: title) }
        changeUser = { _, _, _ in throw UserRefusal.notKept(platform: title) }
        tokenKinds = []
        expiring = []
        hostPaths = []
        setup = { _, _ in nil }
        mint = { _, _ in throw MintRefusal.impossible("\(title) signs no tokens that could be minted.") }
    }

    package init<P: Platform>(_: P.Type) {
        name = P.name
        title = P.title
        mounts = P.mountPaths
        pages = P.pages
        transactions = { try P($0).transactions() }
        perform = { action, id, world in try world.acting(P.self) { try $0.perform(action, on: id) } }
        records = { try P($0).records() }
        record = { try P($1).record($0) }
        newRecords = { try P($0).newRecords() }
        makeRecord = { kind, inputs, world in try world.acting(P.self) { try $0.makeRecord(kind, inputs) } }
        performOnRecord = { action, id, inputs, world in
            try world.acting(P.self) { try $0.perform(action, onRecord: id, inputs) }
        }
        user = { try P($1).user($0) }
        changeUser = { try P($2).changeUser($0, $1) }
        tokenKinds = P.tokenKinds
        mint = { try P.mint($0, in: $1) }
        expiring = P.expiring
        // No key path: one into a generic type is put together anew at each start, at the price of thirty routes.
        hostPaths = P.hostRoutes.map { $0.pattern }
        setup = { try P($1).setup(for: $0) }
    }
}
