import OpenID
package import PlatformKit

/// Tokens to order: what the token service of nextAuth's guide issues. nextAuth itself signs none.
extension SampleApp: MintsTokens {
    package static let tokenKinds = [
        TokenKind(
            "nextauth_access_token", "Access token for a nextAuth user",
            use: "Authorization: Bearer, such as at /app/nextauth/me", needs: [.user],
            reserved: AccessTokenClaims.reserved)
    ]

    /// A token of no AppLogin, which ends by its time alone. The user is one whom the nextAuth Server knows.
    package func mint(_ order: MintRequest) throws -> MintedToken {
        let settings = try self.settings(NextAuthSettings.kept, else: NextAuthSettings())
        _ = try nextAuth(settings, order.request).attributes(of: order.required(.user))
        return try tokens.mint(order, for: tokenClient(settings))
    }
}
