import OpenID

/// How the user of a mobile app proved who they are, as token lists and introspection say it.
///
/// Source: Token Server documentation, token introspection and device API v4, which spell the implicit type differently.
enum TokenType: String, Sendable, CaseIterable {
    case standard = "DEFAULT"
    case fingerprint = "FINGER_PRINT"
    case customAuthenticator = "CUSTOM_AUTHENTICATOR"
    case implicit = "IMPLICIT"
    case implicitAuthentication = "IMPLICIT_AUTHENTICATION"
    case stateless = "STATELESS_AUTHENTICATION"

    /// ``standard`` for a grant whose `amr` names none of these.
    init(of grant: Grant?) {
        self = (grant?.amr ?? []).lazy.compactMap(TokenType.init(rawValue:)).first ?? .standard
    }
}
