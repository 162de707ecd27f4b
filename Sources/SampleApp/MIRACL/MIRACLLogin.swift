import Essentials
import SQLite

/// A login that began here and is decided at MIRACL: what has to come back, and to whom.
struct MIRACLLogin: Codable, Sendable, Equatable {
    var state: String
    var nonce: String
    /// What the browser, or the app, has as a cookie: only there can the login come back as a page.
    var browser: String
    var redirectURI: String
    var startedAt: Date
    /// When it came back; a login is good once.
    var usedAt: Date?

    enum CodingKeys: String, CodingKey {
        case state, nonce, browser
        case redirectURI = "redirect_uri"
        case startedAt = "started_at"
        case usedAt = "used_at"
    }
}

extension MIRACLLogin: RowDecodable {
    init(row: Row) throws {
        state = try row.text("state")
        nonce = try row.text("nonce")
        browser = try row.text("browser")
        redirectURI = try row.text("redirect_uri")
        startedAt = try row.date("started_at")
        usedAt = try row.optionalDate("used_at")
    }
}
