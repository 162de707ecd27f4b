import Essentials
import SQLite

/// Something that a back end asks a logged-in user to approve.
struct SignTransaction: Sendable, Equatable, Codable {
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
}

extension SignTransaction: RowDecodable {
    init(row: Row) throws {
        self.init(
            id: try row.text("id"), server: try row.text("server"), hsid: try row.text("hsid"),
            account: try row.integer("account"), amount: try row.optionalText("amount"),
            benificiary: try row.optionalText("benificiary"),
            description: try row.optionalText("description"), status: try row.word("status"),
            createdAt: try row.date("created_at"), decidedAt: try row.optionalDate("decided_at"))
    }
}
