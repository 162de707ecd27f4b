import Essentials
import PlatformKit
import SQLite

/// One attempt to tell a portal of a result.
struct CallbackRecord: Record, Equatable {
    static let table = Table("onegini_callback", key: "position")
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_callback (
            position INTEGER PRIMARY KEY,
            transaction_id TEXT NOT NULL REFERENCES onegini_transaction (id) ON DELETE CASCADE,
            url TEXT NOT NULL,
            status INTEGER,
            milliseconds REAL NOT NULL,
            failure TEXT,
            at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX onegini_callback_transaction ON onegini_callback (transaction_id)",
    ]

    let transactionID: String
    let url: String
    /// Nil when nobody answered.
    let status: Int?
    let milliseconds: Double
    let failure: String?
    let at: Date

    enum CodingKeys: String, CodingKey {
        case transactionID = "transaction_id"
        case url, status, milliseconds, failure, at
    }

    var notice: Transaction.Notice {
        Transaction.Notice(url: url, at: at, status: status, milliseconds: milliseconds, failure: failure)
    }
}
