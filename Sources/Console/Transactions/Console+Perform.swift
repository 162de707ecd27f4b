import HTTP
import PlatformKit

extension Console {
    /// Does an action to a transaction, and says in the journal what came of it.
    ///
    /// - Returns: the transaction as it is then.
    /// - Throws: ``ControlError``; `TransactionRefusal`.
    func perform(_ action: String, on id: String, in world: World) throws -> Transaction {
        let watch = watch(world)
        guard let (before, platform) = try watch.find(id) else { throw noTransaction(id, in: world) }
        let what = "the \(before.kind) transaction \(id) of \(platform.title)"
        do {
            try world.acting(for: platform.name) {
                try $0.ask(platform, (any HoldsTransactions).self)?.decide(action, on: id)
            }
        } catch let refusal as any Refusal {
            world.services.journal.event(
                "transaction not changed", about: before.user,
                "The action “\(action.shortened)” was not applied to \(what). \(refusal.explanation)")
            throw refusal is TransactionRefusal ? refusal : ControlError.refused(refusal.explanation)
        }
        guard let after = try watch.find(id)?.transaction else { throw noTransaction(id, in: world) }
        world.services.journal.event(
            "transaction changed", about: after.user,
            "The action “\(action.shortened)” was applied to \(what): it was \(before.state) and is \(after.state) now."
        )
        return after
    }

    func noTransaction(_ id: String, in world: World) -> ControlError {
        .absent("The world \(world.name) has no transaction “\(id.shortened)”.")
    }
}
