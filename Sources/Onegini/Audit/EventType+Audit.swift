import OpenID

extension EventType {
    /// What the vendor's catalogue calls an event of the authorization server.
    init(_ kind: AuditEvent.Kind) {
        self =
            switch kind {
            case .codeIssued: .authzRequestGrantCreated
            case .authorizationInvalid: .authzRequestInvalid
            case .redirectURIInvalid: .authzRequestRedirectUriInvalid
            case .scopeInvalid: .authzRequestScopeInvalid
            case .clientInvalid: .authzRequestInvalidClient
            case .loginRequired: .authnRequestLoginRequired
            case .consentRequired: .authnRequestConsentRequired
            case .grantInvalid: .tokenRequestInvalidGrant
            case .verifierInvalid: .tokenRequestInvalidPkceVerifier
            case .refreshTokenInvalid: .tokenRequestInvalidRefreshToken
            case .refreshTokenExpired: .tokenRequestExpiredRefreshToken
            case .accessTokenCreated: .tokenRequestAccessTokenCreated
            case .accessTokenRefreshed: .tokenRequestAccessTokenRefreshed
            case .accessTokenRevoked: .tokenRevokeAccessTokenSuccess
            case .refreshTokenRevoked: .tokenRevokeRefreshTokenSuccess
            case .tokenIntrospected: .tokenIntrospectionSuccess
            case .introspectionFailed: .tokenIntrospectionFailed
            }
    }
}
