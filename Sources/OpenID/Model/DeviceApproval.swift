package import Essentials

/// Who lets a device in, and how that was found out.
package struct DeviceApproval: Sendable {
    package var subject: String
    package var authenticatedAt: Date?
    package var acr: String?
    package var amr: [String]
    /// `sid` of the browser session, where there is one.
    package var sessionID: String?
    /// Of that session.
    var loginClaims: [String: JSONValue] = [:]

    package init(
        subject: String, authenticatedAt: Date? = nil, acr: String? = nil, amr: [String] = [],
        sessionID: String? = nil
    ) {
        (self.subject, self.authenticatedAt, self.acr) = (subject, authenticatedAt, acr)
        (self.amr, self.sessionID) = (amr, sessionID)
    }

    init(_ session: BrowserSession) {
        self.init(
            subject: session.subject, authenticatedAt: session.authenticatedAt, acr: session.acr,
            amr: session.amr, sessionID: session.id)
        loginClaims = session.loginClaims
    }
}
