/// What a proof is for. Source: client-js 6 and 8, trust-sdk-android, Milagro MFA SDK core.
enum Scope {
    /// Finish the access session.
    static let oidc = "oidc"
    /// Return an authorization code.
    static let authcode = "authcode"
    /// A one-time password.
    static let otp = "otp"
    /// A code for another device of the user.
    static let regCode = "reg-code"
    /// Register a key pair for signatures.
    static let dvsReg = "dvs-reg"
    /// Sign next.
    static let dvsAuth = "dvs-auth"
    static let jwt = "jwt"
}
