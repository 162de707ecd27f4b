import Essentials
import PlatformKit
import SQLite

/// Something that a back end asks a logged-in user to approve.
struct SignTransaction: Traced, Equatable {
    static let table = Table("nextauth_transaction", limit: 10_000)

    /// Source: API description 2.2, which sends it as text.
    enum Status: String, Sendable, Codable, CaseIterable {
        case new = "0"
        case approved = "1"
        case declined = "2"
    }

    /// Base64 with neither `/` nor `+`.
    let id: String
    let server: String
    let hsid: String
    let account: Int
    var amount: String?
    /// The spelling is the API's.
    var benificiary: String?
    var description: String?
    var status = Status.new
    let createdAt: Date
    var decidedAt: Date?

    enum CodingKeys: String, CodingKey {
        case id, server, hsid, account, amount, benificiary, description, status
        case createdAt = "created_at"
        case decidedAt = "decided_at"
    }

    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_transaction (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE, -- Base64 with neither / nor +
            server TEXT NOT NULL,
            hsid TEXT NOT NULL,
            account INTEGER NOT NULL,
            amount TEXT,
            benificiary TEXT,
            description TEXT,
            status TEXT NOT NULL,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            decided_at INTEGER -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]
}

extension SignTransaction {
    var subjects: [Subject] { [Subject(.transaction, id, "Signature"), Subject(.session, secret: hsid)] }
}

extension SignTransaction {
    static func find(_ id: String, in db: Connection) throws -> SignTransaction? {
        try db.first(SignTransaction.self, where: "id = \(id)")
    }

    /// Newest first.
    static func newest(_ count: Int, in db: Connection) throws -> [SignTransaction] {
        try db.all(
            SignTransaction.self,
            "SELECT * FROM nextauth_transaction ORDER BY position DESC LIMIT \(count)")
    }

    /// How many nobody has decided.
    static func countNew(in db: Connection) throws -> Int {
        try db.count(SignTransaction.self, where: "status = \(Status.new.rawValue)")
    }
}
