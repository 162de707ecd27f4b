package import PlatformKit

extension Onegini: HoldsTransactions {
    package func newestTransactions(_ limit: Int) throws -> [Transaction] {
        try mobileTransactions().shown(limit)
    }

    package func countOpenTransactions() throws -> Int { try mobileTransactions().countOpen() }

    /// `confirm`, `deny`, `fail` and `expire`, each also with a word behind a colon (``TransactionAction``), and `release` for a
    /// callback that is held.
    package func decide(_ action: String, on transactionID: String) throws {
        try mobileTransactions().decide(action, on: transactionID)
    }

    func mobileTransactions() throws -> MobileTransactions {
        MobileTransactions(registry, try world.mobileAuthentication())
    }
}
