import OpenID

/// What the authorization server of this platform answers, and where.
extension ServerProfile {
    static let onegini: ServerProfile = {
        var paths = EndpointPaths()
        paths.authorization = ["/v1/authorize", "/authorize"]
        paths.token = ["/v1/token", "/token"]
        paths.revocation = ["/v1/revoke", "/revoke"]
        paths.keys = ["/v1/keys"]
        paths.userinfo = ["/v1/userinfo"]
        paths.logout = ["/v1/logout"]
        paths.returningLogout = ["/v2/logout"]
        paths.checkSession = ["/v1/checksession"]
        paths.introspection = ["/introspect"]
        return ServerProfile(
            name: Vendor.name, title: Vendor.title, paths: paths,
            ownParameterPrefix: "hook_context_custom_param.", secretPlaces: .eitherUnlessRegistered,
            claims: oneginiClaims)
    }()

    /// Source: Token Server documentation, “ID token” and “Scopes and claims”. What no standard knows, such as roles, groups or a
    /// tenant, is told everywhere. *Ours*.
    private static let oneginiClaims = ClaimMapping.standard(in: [.idToken, .userinfo]).overlaid(
        with: ClaimMapping([ClaimMapping.any: [ClaimMapping.any: [.idToken, .userinfo, .accessToken]]]))
}
