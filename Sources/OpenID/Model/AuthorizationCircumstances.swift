import Essentials

/// What is known of the browser and its user while a request is judged.
struct AuthorizationCircumstances: Sendable {
    var session: BrowserSession?
    /// Whether a session cookie came, of a live session or not.
    var hasCookie = false
    /// Whether somebody logged in for this very request, in this session.
    var isLoggedInForThis = false
    /// The same for consent.
    var isConsentedForThis = false
    /// What the user allowed this client before.
    var consented = ScopeList("")
    /// Scopes for which users are asked.
    var needingConsent: Set<String> = []
    var settings = BrowserSettings()
    var now: Date
}
