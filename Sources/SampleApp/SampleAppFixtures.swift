import OpenID

/// The section `app` of a fixture file.
package struct SampleAppFixtures: Codable, Sendable {
    var portal: PortalSettings?
    /// Logins that began at the portal.
    var logins: [Login]?
    var mobileLogin: MobileLoginSettings?
    /// Logins that began in an app.
    var mobileLogins: [MobileLogin]?
    var miraclLogin: MIRACLSettings?
    /// Logins that are decided at MIRACL.
    var miraclLogins: [MIRACLLogin]?
    var nextAuthTokens: NextAuthSettings?
    /// What the token service issued.
    var tokenService: OpenIDFixtures?
    var sessions: [Session]?

    enum CodingKeys: String, CodingKey {
        case portal, logins
        case mobileLogin = "mobile_login"
        case mobileLogins = "mobile_logins"
        case miraclLogin = "miracl_login"
        case miraclLogins = "miracl_logins"
        case nextAuthTokens = "nextauth_tokens"
        case tokenService = "token_service"
        case sessions
    }
}
