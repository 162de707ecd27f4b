import Essentials
import PlatformKit
import SQLite

/// How the pages of one authorization server behave, from the fixtures.
package struct BrowserSettings: Sendable, Equatable, Codable {
    /// Whether a `login_hint` that names a user logs in without a page. Without a word: no.
    package var autoLogin: Bool?
    /// Values of `acr` that a login at the pages reaches, the best first. Without a word: `1`.
    package var acrValues: [String]?
    /// Seconds from the login to the end of a browser session. Without a word: eight hours.
    package var sessionLifetime: Int?
    /// Whether a browser shows a page with a button before it leaves for an app's own scheme without a click. Without a word: no.
    package var confirmAppRedirects: Bool?

    package init(autoLogin: Bool? = nil, acrValues: [String]? = nil, sessionLifetime: Int? = nil) {
        (self.autoLogin, self.acrValues, self.sessionLifetime) = (autoLogin, acrValues, sessionLifetime)
    }

    package enum CodingKeys: String, CodingKey {
        case autoLogin = "auto_login"
        case acrValues = "acr_values"
        case sessionLifetime = "session_lifetime"
        case confirmAppRedirects = "confirm_app_redirects"
    }

    package var logsInByHint: Bool { autoLogin ?? false }
    package var reachedACRs: [String] { acrValues ?? ["1"] }
    package var confirmsAppRedirects: Bool { confirmAppRedirects ?? false }
    package var sessionSeconds: Int { sessionLifetime ?? 28_800 }
}

extension BrowserSettings {
    /// Nil when the fixtures said nothing.
    static func setting(of server: String) -> Setting<BrowserSettings> { Setting("\(server).openid.pages") }
}

extension AuthorizationServer {
    func browserSettings(in db: Connection) throws -> BrowserSettings {
        try BrowserSettings.setting(of: profile.name).value(in: db) ?? BrowserSettings()
    }
}
