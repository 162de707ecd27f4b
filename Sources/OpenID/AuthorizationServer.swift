/// An OAuth 2.0 authorization server and OpenID provider, per the standards and without any vendor.
package struct AuthorizationServer: Sendable {}
