package import PlatformKit

extension Onegini {
    package func transactions() throws -> [Transaction] { try mobileTransactions().shown() }

    /// `confirm`, `deny`, `fail` and `expire`, each also with a word behind a colon (``TransactionAction``), and `release` for a
    /// callback that is held.
    package func perform(_ action: String, on transactionID: String) throws {
        try mobileTransactions().perform(action, on: transactionID)
    }

    func mobileTransactions() throws -> MobileTransactions {
        MobileTransactions(registry, try world.mobileAuthentication())
    }
}
