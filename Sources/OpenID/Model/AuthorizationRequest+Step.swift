import Essentials

extension AuthorizationRequest {
    /// Source: OpenID Connect Core 1.0 §3.1.2.1, §3.1.2.3, §3.1.2.4, §5.5.1.1.
    func step(_ circumstances: AuthorizationCircumstances) -> AuthorizationStep {
        if let asked = claims?.essentialACRs,
            !asked.contains(where: circumstances.settings.reachedACRs.contains)
        {
            return .refuse(.acrUnreachable(asked, reached: circumstances.settings.reachedACRs))
        }
        switch next(circumstances) {
        case .login(let reason) where isSilent: return .refuse(.loginRequired(reason))
        case .consent(let names) where isSilent: return .refuse(.consentRequired(names))
        case let step: return step
        }
    }

    private func next(_ circumstances: AuthorizationCircumstances) -> AuthorizationStep {
        guard let session = circumstances.session else {
            return .login(circumstances.hasCookie ? .sessionOver : .noSession)
        }
        if !circumstances.isLoggedInForThis, let reason = staleness(of: session, at: circumstances.now) {
            return .login(reason)
        }
        if let asked = expectedSubject, asked != session.subject {
            return circumstances.isLoggedInForThis
                ? .refuse(.wrongUser(asked: asked, found: session.subject))
                : .login(.otherUser(asked: asked, found: session.subject))
        }
        let unasked = scopesToAsk(circumstances)
        return unasked.isEmpty ? .grant(session) : .consent(unasked)
    }

    private func staleness(of session: BrowserSession, at now: Date) -> LoginReason? {
        if let loginPrompt { return .prompt(loginPrompt.rawValue) }
        guard let maxAge else { return nil }
        let age = now.timeIntervalSince(session.authenticatedAt)
        // Zero is prompt=login in other words. Source: OpenID Connect Core 1.0 §3.1.2.1.
        return maxAge == 0 || age > Double(maxAge)
            ? .maxAge(maxAge, loggedInAgo: Int(saturating: age, .toNearestOrAwayFromZero)) : nil
    }

    private func scopesToAsk(_ circumstances: AuthorizationCircumstances) -> [String] {
        if circumstances.isConsentedForThis { return [] }
        if prompts.contains(.consent) { return scope.names }
        if client.metadata.skipsConsent == true { return [] }
        return scope.names.filter {
            circumstances.needingConsent.contains($0) && !circumstances.consented.contains($0)
        }
    }

    /// The `acr` that the response tells: the first that was asked for and is reached, or else the session's.
    func acr(in session: BrowserSession, _ settings: BrowserSettings) -> String? {
        let asked = (claims?.askedACRs ?? []) + acrValues
        return asked.first(where: settings.reachedACRs.contains) ?? session.acr
    }
}

/// What comes next on the way from an authorization request to its answer.
enum AuthorizationStep {
    case login(LoginReason)
    /// Scopes that the user has to allow.
    case consent([String])
    case refuse(AuthorizationFault)
    case grant(BrowserSession)
}
