import Essentials
package import PlatformKit
import SQLite

extension NextAuth: HoldsTransactions {
    /// What a console's user can do in a device's place.
    private enum Decision: String, CaseIterable {
        case approve, decline

        var status: SignTransaction.Status { self == .approve ? .approved : .declined }
    }

    package func newestTransactions(_ limit: Int) throws -> [Transaction] {
        try look { db, now in
            try SignTransaction.newest(limit, in: db).map { try shown($0, in: db) }
                + waitingLogins(limit, at: now, in: db)
        }
    }

    package func countOpenTransactions() throws -> Int {
        try look { db, now in
            try SignTransaction.countNew(in: db) + countWaitingLogins(at: now, in: db)
        }
    }

    private func shown(_ transaction: SignTransaction, in db: Connection) throws -> Transaction {
        let account = try Account.find(transaction.account, in: db)
        let isOpen = transaction.status == .new
        let state = isOpen ? "new" : transaction.status == .approved ? "approved" : "declined"
        let facts = [
            ("Amount", transaction.amount), ("Beneficiary", transaction.benificiary),
            ("Account id", String(transaction.account)), ("Status on the wire", transaction.status.rawValue),
        ]
        return Transaction(
            id: transaction.id, kind: "transaction",
            title: transaction.description ?? "Transaction", user: account?.user ?? account?.name,
            state: state, isOpen: isOpen, createdAt: transaction.createdAt,
            // It waits for ever; what ends is the push that announces it.
            expiresAt: transaction.createdAt + (try world.settings(in: db)).messageLife,
            facts: ConsoleRecord.Fact.known(facts),
            actions: isOpen ? Decision.allCases.map(\.rawValue) : [],
            steps: [Transaction.Step("new", at: transaction.createdAt)]
                + (transaction.decidedAt.map { [Transaction.Step(state, at: $0)] } ?? []))
    }

    /// `approve` and `decline`, `confirm` and `decline` of a login, without a device and its second factor.
    package func decide(_ action: String, on transactionID: String) throws {
        if let login = WaitingLogin(transactionID) {
            return try change { turn in try decide(action, on: login, transactionID, in: turn) }
        }
        guard let decision = Decision(rawValue: action) else {
            throw TransactionRefusal.actionUnknown(action, known: Decision.allCases.map(\.rawValue))
        }
        try change { turn in
            guard let transaction = try SignTransaction.find(transactionID, in: turn.db) else {
                throw TransactionRefusal.unknown(transactionID)
            }
            guard transaction.status == .new else {
                throw TransactionRefusal.tooLate(
                    action, state: transaction.status == .approved ? "approved" : "declined")
            }
            try flows.decide(transaction, decision.status, by: "The console", in: turn)
        }
    }
}
