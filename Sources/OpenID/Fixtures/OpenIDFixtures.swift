import Essentials

/// The part of a platform's fixture section that is the authorization server's.
package struct OpenIDFixtures: Codable, Sendable {
    package init() {}
}
