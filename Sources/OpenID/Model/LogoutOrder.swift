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
