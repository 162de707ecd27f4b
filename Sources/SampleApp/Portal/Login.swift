import Essentials
import SQLite

/// A login that began in a browser and waits for the user's word in an app.
struct Login: Codable, Sendable, Equatable {
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
            return seconds > 0 ? .waiting(secondsLeft: Int(seconds.rounded(.up))) : .expired
        case .approved:
            guard let user, let answeredAt, now <= answeredAt + Double(takeUpSeconds) else { return .expired }
            return .approved(user: user)
        case .refused: return .refused(reason: reason ?? "not authenticated")
        case .used: return .used
        }
    }
}

extension Login: RowDecodable {
    init(row: Row) throws {
        id = try row.text("id")
        browser = try row.text("browser")
        transactionID = try row.text("transaction_id")
        otp = try row.text("otp")
        state = State(rawValue: try row.text("state")) ?? .refused
        user = try row.optionalText("user")
        reason = try row.optionalText("reason")
        expiresAt = try row.date("expires_at")
        answeredAt = try row.optionalDate("answered_at")
    }
}
