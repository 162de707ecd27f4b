/// What comes next on the way from an authorization request to its answer.
enum AuthorizationStep {
    case login(LoginReason)
    /// Scopes that the user has to allow.
    case consent([String])
    case refuse(AuthorizationFault)
    case grant(BrowserSession)
}
