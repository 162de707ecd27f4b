import Essentials
import PlatformKit
import SQLite

/// A login that began here and is decided at MIRACL: what has to come back, and to whom.
struct MIRACLLogin: Traced, Equatable {
    static let table = Table("app_miracl_login", key: "state", limit: 10_000)

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
    static let migrations: [SQL] = [
        """
        CREATE TABLE app_miracl_login (
            position INTEGER PRIMARY KEY,
            state TEXT NOT NULL UNIQUE,
            nonce TEXT NOT NULL UNIQUE,
            browser TEXT NOT NULL,
            redirect_uri TEXT NOT NULL,
            started_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            used_at INTEGER -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX app_miracl_login_start ON app_miracl_login (started_at)",
    ]
}

extension MIRACLLogin {
    var subjects: [Subject] { [Subject(.login, secret: state, "Login")] }
}
