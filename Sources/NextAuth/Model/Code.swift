import Essentials
import SQLite

/// What a code for an enrolment or a signature stands for: its ticket is good for one use and a limited time.
struct Code: Record, Equatable {
    static let table = Table("nextauth_code", key: "ticket", limit: 10_000)

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
