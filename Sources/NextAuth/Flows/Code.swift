import Essentials
import PlatformKit
import SQLite

/// What a code for an enrolment or a signature stands for: its ticket is good for one use and a limited time.
struct Code: Traced, Equatable {
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
    func refusal(at now: Date) -> DeviceRefusal? {
        if let usedAt { return .codeUsed(secondsAgo: now.seconds(since: usedAt)) }
        return now >= expiresAt ? .codeExpired(secondsAgo: now.seconds(since: expiresAt)) : nil
    }

    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_code (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            ticket TEXT NOT NULL UNIQUE, -- 16 bytes in base64url
            kind TEXT NOT NULL,
            server TEXT NOT NULL,
            hsid TEXT NOT NULL,
            name TEXT,
            user TEXT,
            "transaction" TEXT,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            used_at INTEGER -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]
}

extension Code {
    var subjects: [Subject] {
        [
            Subject(.code, secret: ticket, kind == .enrol ? "Enrolment" : "Signature", "by QR code"),
            Subject(.session, secret: hsid),
        ]
    }
}

extension Code {
    static func find(_ ticket: String, in db: Connection) throws -> Code? {
        try db.first(Code.self, where: "ticket = \(ticket)")
    }

    static func spend(_ ticket: String, at now: Date, in db: Connection) throws {
        try db.execute("UPDATE nextauth_code SET used_at = \(now) WHERE ticket = \(ticket)")
    }
}
