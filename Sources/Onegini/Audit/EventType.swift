import OpenID

/// Names of the vendor's catalogue of events, in upper case with underscores.
///
/// Source: Token Server documentation, appendix “access events”; `unknown` is ours, for a name that a fixture made up.
enum EventType: String, Sendable, CaseIterable, Codable {
    case dynamicRegSuccess = "DYNAMIC_REG_SUCCESS"
    case dynamicRegFailed = "DYNAMIC_REG_FAILED"
    case dynamicRegFailedInvalidResponse = "DYNAMIC_REG_FAILED_INVALID_RESPONSE"
    case dynamicRegInvalidRequest = "DYNAMIC_REG_INVALID_REQUEST"
    case dynamicRegInvalidHeader = "DYNAMIC_REG_INVALID_HEADER"
    case dynamicRegFailedRegistrationIdAlreadyExists = "DYNAMIC_REG_FAILED_REGISTRATION_ID_ALREADY_EXISTS"
    case dynamicRegNewRegistrationsDisabled = "DYNAMIC_REG_NEW_REGISTRATIONS_DISABLED"
    case dynamicRegVersionDisabled = "DYNAMIC_REG_VERSION_DISABLED"
    case dynamicRegPlatformVersionUnknown = "DYNAMIC_REG_PLATFORM_VERSION_UNKNOWN"
    case dynamicRegOsVersionInvalid = "DYNAMIC_REG_OS_VERSION_INVALID"
    case clientValidationSuccess = "CLIENT_VALIDATION_SUCCESS"
    case clientValidationInvalidClient = "CLIENT_VALIDATION_INVALID_CLIENT"
    case clientValidationVersionDisabled = "CLIENT_VALIDATION_VERSION_DISABLED"
    case clientValidationOsVersionInvalid = "CLIENT_VALIDATION_OS_VERSION_INVALID"
    case enrollmentInitialized = "ENROLLMENT_INITIALIZED"
    case enrollmentKeyFetched = "ENROLLMENT_KEY_FETCHED"
    case enrollmentAckSuccess = "ENROLLMENT_ACK_SUCCESS"
    case keyEnrollmentSuccess = "KEY_ENROLLMENT_SUCCESS"
    case keyEnrollmentFailureInvalidRequest = "KEY_ENROLLMENT_FAILURE_INVALID_REQUEST"
    case keyEnrollmentFailureDisabled = "KEY_ENROLLMENT_FAILURE_DISABLED"
    case keyEnrollmentFailureInvalidToken = "KEY_ENROLLMENT_FAILURE_INVALID_TOKEN"
    case keyEnrollmentFailureStatelessAccessToken = "KEY_ENROLLMENT_FAILURE_STATELESS_ACCESS_TOKEN"
    case pushEnrollmentSuccess = "PUSH_ENROLLMENT_SUCCESS"
    case pushEnrollmentFailureKeysNotExchanged = "PUSH_ENROLLMENT_FAILURE_KEYS_NOT_EXCHANGED"
    case pushEnrollmentFailureExistingPushToken = "PUSH_ENROLLMENT_FAILURE_EXISTING_PUSH_TOKEN"
    case pushEnrollmentFailureUserAlreadyEnrolled = "PUSH_ENROLLMENT_FAILURE_USER_ALREADY_ENROLLED"
    case mobileAuthInitFailureInvalidReq = "MOBILE_AUTH_INIT_FAILURE_INVALID_REQ"
    case mobileAuthInitFailureInvalidAuthPropertiesName =
        "MOBILE_AUTH_INIT_FAILURE_INVALID_AUTH_PROPERTIES_NAME"
    case otpAuthInitialized = "OTP_AUTH_INITIALIZED"
    case otpAuthInitFailure = "OTP_AUTH_INIT_FAILURE"
    case mobileAuthFetchSecuredMessageFetched = "MOBILE_AUTH_FETCH_SECURED_MESSAGE_FETCHED"
    case mobileAuthFetchFailedTransactionAlreadyFetched =
        "MOBILE_AUTH_FETCH_FAILED_TRANSACTION_ALREADY_FETCHED"
    case mobileAuthFetchFailedInvalidTransaction = "MOBILE_AUTH_FETCH_FAILED_INVALID_TRANSACTION"
    case mobileAuthFetchFailedTransactionExpired = "MOBILE_AUTH_FETCH_FAILED_TRANSACTION_EXPIRED"
    case mobileAuthFetchFailedNoUserClientKeys = "MOBILE_AUTH_FETCH_FAILED_NO_USER_CLIENT_KEYS"
    case mobileAuthFetchFailedInvalidClientId = "MOBILE_AUTH_FETCH_FAILED_INVALID_CLIENT_ID"
    case mobileAuthFetchFailedMissingProfileIdForOtpAuth =
        "MOBILE_AUTH_FETCH_FAILED_MISSING_PROFILE_ID_FOR_OTP_AUTH"
    case otpAuthNotAuthenticatedInvalidOtp = "OTP_AUTH_NOT_AUTHENTICATED_INVALID_OTP"
    case otpAuthNotAuthenticatedInvalidAccessToken = "OTP_AUTH_NOT_AUTHENTICATED_INVALID_ACCESS_TOKEN"
    case mobileAuthAuthenticated = "MOBILE_AUTH_AUTHENTICATED"
    case mobileAuthNotAuthenticated = "MOBILE_AUTH_NOT_AUTHENTICATED"
    case mobileAuthNotAuthenticatedInvalidToken = "MOBILE_AUTH_NOT_AUTHENTICATED_INVALID_TOKEN"
    case pushAuthNotAuthenticatedInvalidTransaction = "PUSH_AUTH_NOT_AUTHENTICATED_INVALID_TRANSACTION"
    case pushAuthNotAuthenticatedTransactionExpired = "PUSH_AUTH_NOT_AUTHENTICATED_TRANSACTION_EXPIRED"
    case pushAuthNotAuthenticatedFailedToDecryptMessage =
        "PUSH_AUTH_NOT_AUTHENTICATED_FAILED_TO_DECRYPT_MESSAGE"
    case pushAuthNotAuthenticatedInvalidState = "PUSH_AUTH_NOT_AUTHENTICATED_INVALID_STATE"
    case pushAuthNotAuthenticatedNoUserClientKeys = "PUSH_AUTH_NOT_AUTHENTICATED_NO_USER_CLIENT_KEYS"
    case pushAuthCallbackSent = "PUSH_AUTH_CALLBACK_SENT"
    case pushAuthCallbackFailed = "PUSH_AUTH_CALLBACK_FAILED"
    case pushAuthTransactionRetrieved = "PUSH_AUTH_TRANSACTION_RETRIEVED"
    case pushAuthTransactionNotRetrieved = "PUSH_AUTH_TRANSACTION_NOT_RETRIEVED"
    case authzRequestGrantCreated = "AUTHZ_REQUEST_GRANT_CREATED"
    case authzRequestInvalid = "AUTHZ_REQUEST_INVALID"
    case authzRequestRedirectUriInvalid = "AUTHZ_REQUEST_REDIRECT_URI_INVALID"
    case authzRequestScopeInvalid = "AUTHZ_REQUEST_SCOPE_INVALID"
    case authzRequestInvalidClient = "AUTHZ_REQUEST_INVALID_CLIENT"
    case authnRequestLoginRequired = "AUTHN_REQUEST_LOGIN_REQUIRED"
    case authnRequestConsentRequired = "AUTHN_REQUEST_CONSENT_REQUIRED"
    case tokenRequestInvalidGrant = "TOKEN_REQUEST_INVALID_GRANT"
    case tokenRequestInvalidPkceVerifier = "TOKEN_REQUEST_INVALID_PKCE_VERIFIER"
    case tokenRequestInvalidRefreshToken = "TOKEN_REQUEST_INVALID_REFRESH_TOKEN"
    case tokenRequestExpiredRefreshToken = "TOKEN_REQUEST_EXPIRED_REFRESH_TOKEN"
    case tokenRequestRefreshTokenRetryCountExceeded = "TOKEN_REQUEST_REFRESH_TOKEN_RETRY_COUNT_EXCEEDED"
    case tokenRequestInvalidProfileId = "TOKEN_REQUEST_INVALID_PROFILE_ID"
    case tokenRequestAccessTokenCreated = "TOKEN_REQUEST_ACCESS_TOKEN_CREATED"
    case tokenRequestAccessTokenRefreshed = "TOKEN_REQUEST_ACCESS_TOKEN_REFRESHED"
    case tokenRevokeAccessTokenSuccess = "TOKEN_REVOKE_ACCESS_TOKEN_SUCCESS"
    case tokenRevokeRefreshTokenSuccess = "TOKEN_REVOKE_REFRESH_TOKEN_SUCCESS"
    case tokenIntrospectionSuccess = "TOKEN_INTROSPECTION_SUCCESS"
    case tokenIntrospectionFailed = "TOKEN_INTROSPECTION_FAILED"
    case apiDevicesListed = "API_DEVICES_LISTED"
    case apiDevicesNoDataFound = "API_DEVICES_NO_DATA_FOUND"
    case apiDeviceRemovedForOneProfile = "API_DEVICE_REMOVED_FOR_ONE_PROFILE"
    case apiAuthenticationAppAndUserClientKeysRemoved = "API_AUTHENTICATION_APP_AND_USER_CLIENT_KEYS_REMOVED"
    case externalScopeCheckFailed = "EXTERNAL_SCOPE_CHECK_FAILED"
    case unknown = "UNKNOWN"
}

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
