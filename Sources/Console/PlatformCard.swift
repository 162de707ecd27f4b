package import PlatformKit

/// A platform, as pages and lists introduce it.
package struct PlatformCard: Sendable {
    package let name: String
    package let title: String
    /// First path segments, the main one first.
    package let mounts: [String]
    /// What waits for a decision in a world, or did lately.
    let transactions: @Sendable (World) throws -> [Transaction]
    /// Does an action to the transaction with this id.
    let perform: @Sendable (_ action: String, _ id: String, World) throws -> Void

    /// A platform by name alone, without transactions.
    package init(name: String, title: String, mounts: [String]) {
        self.name = name
        self.title = title
        self.mounts = mounts
        transactions = { _ in [] }
        perform = { action, _, _ in throw TransactionRefusal.actionUnknown(action, known: []) }
    }

    package init<P: Platform>(_: P.Type) {
        name = P.name
        title = P.title
        mounts = P.mountPaths
        transactions = { try P($0).transactions() }
        perform = { try P($2).perform($0, on: $1) }
    }
}
