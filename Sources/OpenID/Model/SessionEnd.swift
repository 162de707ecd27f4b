/// The end of a session, as its clients have to hear of it.
struct SessionEnd: Sendable {
    /// To those who listen at their server.
    var backChannel: [LogoutNotice] = []
    /// To those who listen in the browser: addresses for frames. Source: OpenID Connect Front-Channel Logout 1.0 §3.
    var frontChannel: [String] = []
}
