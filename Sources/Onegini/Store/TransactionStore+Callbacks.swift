import Essentials
import PlatformKit
import SQLite

/// One attempt to tell a portal of a result, as it is kept. The same shape stands in fixtures.
struct CallbackRecord: Codable, Sendable, Equatable {
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

extension CallbackRecord: RowDecodable {
    init(row: Row) throws {
        self.init(
            transactionID: try row.text("transaction_id"), url: try row.text("url"),
            status: try row.optionalInteger("status"), milliseconds: try row.real("duration"),
            failure: try row.optionalText("failure"), at: try row.date("at"))
    }
}

extension TransactionStore {
    /// Attempts for one transaction, oldest first.
    func callbacks(of id: String, in db: Connection) throws -> [CallbackRecord] {
        try db.all(
            CallbackRecord.self,
            "SELECT * FROM onegini_callback WHERE transaction_id = \(id) ORDER BY position")
    }

    func allCallbacks(in db: Connection) throws -> [CallbackRecord] {
        try db.all(CallbackRecord.self, "SELECT * FROM onegini_callback ORDER BY position")
    }

    /// Nothing happens when there is no such transaction: the world may have been reset since the callback was queued.
    func insert(_ record: CallbackRecord, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO onegini_callback (transaction_id, url, status, duration, failure, at)
            SELECT \(record.transactionID), \(record.url), \(record.status), \(record.milliseconds),
                \(record.failure), \(record.at)
            WHERE EXISTS (SELECT 1 FROM onegini_transaction WHERE id = \(record.transactionID))
            """)
    }

    func setCallback(_ state: CallbackState, of id: String, in db: Connection) throws {
        try db.execute("UPDATE onegini_transaction SET callback = \(state.rawValue) WHERE id = \(id)")
    }
}
