import Essentials
import SQLite

/// Something that a back end asks a logged-in user to approve.
struct SignTransaction: Record, Equatable {
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
}
