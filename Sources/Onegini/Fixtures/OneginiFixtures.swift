import OpenID

/// The section `onegini` of a fixture file.
package struct OneginiFixtures: Codable, Sendable {
    /// The authorization server: clients, users, scopes, and what it issued.
    var oauth: OpenIDFixtures?
}
