package import Essentials
package import SQLite

/// A user logged in with a browser.
package struct BrowserSession: Sendable, Equatable {
    /// `sid`: a UUID that clients may know.
    package var id: String
    /// SHA-256 of the session cookie.
    package var digest: [UInt8]
    package var subject: String
    /// When the user really logged in.
    package var authenticatedAt: Date
    package var acr: String?
    package var amr: [String]
    /// Changes at login and logout; scripts of relying parties compare it. Source: OpenID Connect Session Management 1.0 §3.
    package var browserState: String
    package var userAgent: String
    package var ipAddress: String
    package var lastUsedAt: Date
    package var expiresAt: Date
    /// Claims that were typed at the login, over those of the user, until the session ends.
    package var loginClaims: [String: JSONValue] = [:]

    package init(
        id: String, digest: [UInt8], subject: String, authenticatedAt: Date, acr: String?, amr: [String],
        browserState: String, userAgent: String, ipAddress: String, lastUsedAt: Date, expiresAt: Date
    ) {
        (self.id, self.digest, self.subject, self.authenticatedAt) = (id, digest, subject, authenticatedAt)
        (self.acr, self.amr, self.browserState) = (acr, amr, browserState)
        (self.userAgent, self.ipAddress) = (userAgent, ipAddress)
        (self.lastUsedAt, self.expiresAt) = (lastUsedAt, expiresAt)
    }
}

extension BrowserSession: RowDecodable {
    package init(row: Row) throws {
        self.init(
            id: try row.text("id"), digest: try row.blob("digest"), subject: try row.text("subject"),
            authenticatedAt: try row.date("authenticated_at"), acr: try row.optionalText("acr"),
            amr: ScopeList(try row.text("amr")).names, browserState: try row.text("browser_state"),
            userAgent: try row.text("user_agent"), ipAddress: try row.text("ip_address"),
            lastUsedAt: try row.date("last_used_at"), expiresAt: try row.date("expires_at"))
        loginClaims = try row.optionalJSON("login_claims")?.object ?? [:]
    }
}
