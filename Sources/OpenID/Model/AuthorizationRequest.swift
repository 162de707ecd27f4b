/// An authorization request of which everything is right that can be told without the user.
struct AuthorizationRequest: Sendable {
    enum Prompt: String, Sendable, CaseIterable {
        case none, login, consent, create
        case selectAccount = "select_account"
    }

    let client: Client
    let target: AuthorizationTarget
    /// Whether the request named its redirect URI; then the token request must, too. Source: RFC 6749 §4.1.3.
    let namesRedirectURI: Bool
    let responseType: ResponseType
    let scope: ScopeList
    /// Audiences that were asked for.
    let resources: [String]
    let nonce: String?
    let prompts: [Prompt]
    /// Seconds
    let maxAge: Int?
    let loginHint: String?
    let acrValues: [String]
    let claims: ClaimsRequest?
    /// `sub` of the id_token_hint.
    let hintedSubject: String?
    let challenge: CodeChallenge?
    /// `dpop_jkt`
    let proofKey: String?

    /// The only user who will do.
    var expectedSubject: String? { hintedSubject ?? claims?.subject }
    /// What makes a login necessary although there is a session. `create` is tolerated: it leads to the login page.
    var loginPrompt: Prompt? { prompts.first { $0 == .login || $0 == .selectAccount || $0 == .create } }
    var isSilent: Bool { prompts == [.none] }
}
