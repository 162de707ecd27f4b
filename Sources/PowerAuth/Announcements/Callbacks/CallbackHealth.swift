import Essentials
import SQLite

/// How the calls of one address went lately, and with which access token they go. It lives for minutes and is not exported.
struct CallbackHealth: Record, Equatable {
    static let table = Table("powerauth_callback_health", key: "callback")

    let callback: String
    /// One after the other, until a success.
    var failures = 0
    var failedAt: Date?
    /// For the receiver.
    var token: String?
    var tokenExpiresAt: Date?

    enum CodingKeys: String, CodingKey {
        case callback, failures, token
        case failedAt = "failed_at"
        case tokenExpiresAt = "token_expires_at"
    }
}

extension CallbackHealth {
    // Source: published defaults of the PowerAuth Server.
    static let failureLimit = 200
    static let breakSeconds: Double = 60

    static func of(_ callback: String, in db: Connection) throws -> CallbackHealth {
        try db.first(CallbackHealth.self, where: "callback = \(callback)")
            ?? CallbackHealth(callback: callback)
    }

    /// Whether so many failures came one after the other, the last of them lately, that new events fail at once.
    func isBroken(at now: Date) -> Bool {
        failures >= Self.failureLimit && (failedAt.map { $0 > now - Self.breakSeconds } ?? false)
    }

    /// The token, while it is good.
    func token(at now: Date) -> String? { tokenExpiresAt.flatMap { $0 > now ? token : nil } }

    /// Nothing is kept of a callback that is gone.
    static func note(success isSuccess: Bool, of callback: String, at now: Date, in db: Connection) throws {
        var health = try of(callback, in: db)
        health.failures = isSuccess ? 0 : health.failures.adding(1)
        health.failedAt = isSuccess ? nil : now
        try health.store(in: db)
    }

    /// - Parameter token: nil to forget it.
    static func setToken(_ token: String?, until end: Date?, of callback: String, in db: Connection) throws {
        var health = try of(callback, in: db)
        (health.token, health.tokenExpiresAt) = (token, end)
        try health.store(in: db)
    }

    private func store(in db: Connection) throws {
        if try RegisteredCallback.find(callback, in: db) != nil { try db.save(self) }
    }
}
