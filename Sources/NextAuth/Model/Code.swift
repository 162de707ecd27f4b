import Essentials
import SQLite

/// What a code for an enrolment or a signature stands for: its ticket is good for one use and a limited time.
struct Code: Sendable, Equatable, Codable {
    enum Kind: String, Sendable, Codable, CaseIterable {
        case enrol = "E"
        case sign = "S"
    }

    /// 16 bytes, base64url.
    let ticket: String
    let kind: Kind
    let server: String
    let hsid: String
    /// What the app shows for the account that will be made.
    var name: String?
    /// Whose account it will be.
    var user: String?
    /// What is to be signed.
    var transaction: String?
    let createdAt: Date
    let expiresAt: Date
    var usedAt: Date?

    enum CodingKeys: String, CodingKey {
        case ticket, kind, server, hsid, name, user, transaction
        case createdAt = "created_at"
        case expiresAt = "expires_at"
        case usedAt = "used_at"
    }

    /// Why it cannot be used at this time; nil when it can.
    func refusal(at now: Date) -> DeviceError? {
        if let usedAt { return .codeUsed(secondsAgo: now.seconds(since: usedAt)) }
        return now >= expiresAt ? .codeExpired(secondsAgo: now.seconds(since: expiresAt)) : nil
    }
}

extension Code: RowDecodable {
    init(row: Row) throws {
        self.init(
            ticket: try row.text("ticket"), kind: try row.word("kind"), server: try row.text("server"),
            hsid: try row.text("hsid"), name: try row.optionalText("name"),
            user: try row.optionalText("user"), transaction: try row.optionalText("transaction_id"),
            createdAt: try row.date("created_at"), expiresAt: try row.date("expires_at"),
            usedAt: try row.optionalDate("used_at"))
    }
}
