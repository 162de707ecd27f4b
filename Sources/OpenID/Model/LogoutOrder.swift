/// A request to log out of which everything is right.
struct LogoutOrder {
    var hint: HintedToken?
    /// Nil when nothing says who asks; then nobody is gone back to.
    var client: Client?
    /// Where the browser goes afterwards, with `state`.
    var target: String?

    /// Whether the ID token was made for this session, or in an earlier one of the same user.
    func proves(_ session: BrowserSession) -> Bool { hint?.sub == session.subject }
}

/// What a client is told when a session ends. Source: OpenID Connect Back-Channel Logout 1.0 §2.4.
struct LogoutNotice: Sendable {
    let client: Client
    /// By which name the client knows this server.
    let issuer: String
    let subject: String
    let sessionID: String
}

/// The end of a session, as its clients have to hear of it.
struct SessionEnd: Sendable {
    /// To those who listen at their server.
    var backChannel: [LogoutNotice] = []
    /// To those who listen in the browser: addresses for frames. Source: OpenID Connect Front-Channel Logout 1.0 §3.
    var frontChannel: [String] = []
}
