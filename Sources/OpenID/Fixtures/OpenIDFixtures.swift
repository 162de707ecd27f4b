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

    package var grants: [GrantFixture]?
    package var codes: [CodeFixture]?
    package var accessTokens: [AccessTokenFixture]?
    package var refreshTokens: [RefreshTokenFixture]?
    package var sessions: [SessionFixture]?
    package var consents: [ConsentFixture]?
    package var pushedRequests: [PushedRequestFixture]?
    package var deviceRequests: [DeviceRequestFixture]?
    package var assertions: [AssertionFixture]?

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
