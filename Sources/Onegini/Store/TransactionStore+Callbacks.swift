import Essentials
import PlatformKit
import SQLite

/// One attempt to tell a portal of a result, as it is kept. The same shape stands in fixtures.
struct CallbackRecord: Record, Equatable {
    static let table = Table("onegini_callback", key: "position")

    var transactionID: String
    var url: String
    /// Nil when nobody answered.
    var status: Int?
    var milliseconds: Double
    var failure: String?
    var at: Date

    enum CodingKeys: String, CodingKey {
        case transactionID = "transaction_id"
        case url, status, milliseconds, failure, at
    }

    var notice: Transaction.Notice {
        Transaction.Notice(url: url, at: at, status: status, milliseconds: milliseconds, failure: failure)
    }
}

extension TransactionStore {
    /// Attempts for one transaction, oldest first.
    func callbacks(of id: String, in db: Connection) throws -> [CallbackRecord] {
        try db.all(CallbackRecord.self, where: "transaction_id = \(id)")
    }
}
