import Essentials
import PlatformKit
import SQLite

/// A login that began in a browser and waits for the user's word in an app. Forgotten a day after its end.
struct Login: Traced, Equatable {
    static let table = Table("app_login", limit: 10_000, keptSeconds: 86_400)

    enum State: String, Codable, Sendable, CaseIterable {
        case waiting
        /// The user said yes, and the browser has not taken it up yet.
        case approved
        /// The user said no, or the token server refused.
        case refused
        /// The browser has a session for it.
        case used
    }

    /// UUID, in the address of the page that shows the QR code.
    var id: String
    /// What the browser has as a cookie: nobody else can take this login up.
    var browser: String
    var transactionID: String
    /// What the QR code says.
    var otp: String
    var state: State
    /// Known once the user answered.
    var user: String?
    /// Why it was refused, in the token server's words.
    var reason: String?
    var expiresAt: Date
    /// When the answer became known.
    var answeredAt: Date?

    enum CodingKeys: String, CodingKey {
        case id, browser
        case transactionID = "transaction_id"
        case otp, state, user, reason
        case expiresAt = "expires_at"
        case answeredAt = "answered_at"
    }

    static let migrations: [SQL] = [
        """
        CREATE TABLE app_login (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE, -- UUID
            browser TEXT NOT NULL,
            transaction_id TEXT NOT NULL UNIQUE,
            otp TEXT NOT NULL,
            state TEXT NOT NULL,
            user TEXT,
            reason TEXT,
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            answered_at INTEGER -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX app_login_expiry ON app_login (expires_at)",
    ]
}

extension Login {
    var subjects: [Subject] { [Subject(.login, id, "Login"), Subject(.transaction, transactionID)] }
}

extension Login {
    /// What the browser sees of it at a time.
    enum Standing: Equatable {
        case waiting(secondsLeft: Int)
        case approved(user: String)
        case refused(reason: String)
        case expired
        case used
    }

    /// - Parameter takeUpSeconds: how long after the answer a browser may come for it.
    func standing(at now: Date, takeUpSeconds: Int) -> Standing {
        switch state {
        case .waiting:
            let seconds = expiresAt.timeIntervalSince(now)
            return seconds > 0 ? .waiting(secondsLeft: now.seconds(until: expiresAt)) : .expired
        case .approved:
            guard let user, let answeredAt, now <= answeredAt + Double(takeUpSeconds) else { return .expired }
            return .approved(user: user)
        case .refused: return .refused(reason: reason ?? "not authenticated")
        case .used: return .used
        }
    }
}
