import Essentials

/// The part of a platform's fixture section that is the authorization server's.
///
/// Settings, scopes, users and clients are what people write; the lists below them are what happened since, so that an export can
/// be loaded again.
package struct OpenIDFixtures: Codable, Sendable {
    package var settings: ServerSettings?
    package var pages: BrowserSettings?
    package var scopes: [Scope]?
    package var users: [UserFixture]?
    package var clients: [ClientFixture]?

    package var grants: [Grant]?
    package var codes: [AuthorizationCode]?
    package var accessTokens: [AccessToken]?
    package var refreshTokens: [RefreshToken]?
    package var sessions: [BrowserSession]?
    package var consents: [Consent]?
    package var pushedRequests: [PushedRequest]?
    package var deviceRequests: [DeviceRequest]?
    package var assertions: [UsedAssertion]?

    package init() {}

    enum CodingKeys: String, CodingKey {
        case settings, pages, scopes, users, clients, grants, codes
        case accessTokens = "access_tokens"
        case refreshTokens = "refresh_tokens"
        case sessions, consents
        case pushedRequests = "pushed_requests"
        case deviceRequests = "device_requests"
        case assertions
    }
}
