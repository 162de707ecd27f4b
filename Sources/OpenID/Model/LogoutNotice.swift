/// What a client is told when a session ends. Source: OpenID Connect Back-Channel Logout 1.0 §2.4.
struct LogoutNotice: Sendable {
    let client: Client
    /// By which name the client knows this server.
    let issuer: String
    let subject: String
    let sessionID: String
}
