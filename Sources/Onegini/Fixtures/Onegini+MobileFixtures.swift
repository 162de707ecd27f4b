import Essentials
import PlatformKit
import SQLite

extension Onegini {
    /// Settings, transactions, and what was told of them.
    static func loadMobileAuthentication(_ fixtures: OneginiFixtures, into db: Connection) throws {
        if let settings = fixtures.mobileAuthentication {
            do {
                try settings.check()
            } catch let problem as FixtureProblem {
                throw FixtureProblem(at: [MobileAuthenticationSettings.name] + problem.path, problem.reason)
            }
            try MobileAuthenticationSettings.setting.set(settings, in: db)
        }
        var known: Set<String> = []
        for (index, transaction) in (fixtures.transactions ?? []).enumerated() {
            guard known.insert(transaction.id).inserted else {
                throw FixtureProblem(
                    at: ["transactions", String(index), "id"],
                    "the id \"\(transaction.id)\" stands here twice")
            }
            try transaction.check(at: ["transactions", String(index)])
            try db.insert(transaction)
        }
        for (index, record) in (fixtures.callbackLog ?? []).enumerated() {
            guard known.contains(record.transactionID) else {
                throw FixtureProblem(
                    at: ["callback_log", String(index), "transaction_id"],
                    "there is no transaction with the id \"\(record.transactionID)\"")
            }
            try db.insert(record)
        }
    }

    static func exportMobileAuthentication(
        to fixtures: inout OneginiFixtures, from db: Connection
    ) throws {
        fixtures.mobileAuthentication = try MobileAuthenticationSettings.setting.value(in: db)
        fixtures.transactions = try db.all(MobileTransaction.self)
        fixtures.callbackLog = try db.all(CallbackRecord.self)
    }
}
