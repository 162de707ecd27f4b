import PlatformKit

/// How people sign in with accounts of others.
struct ThirdPartyRules: Sendable, Equatable {
    let config: ConfigurationFixture.ThirdParty

    init(_ config: ConfigurationFixture.ThirdParty?) throws {
        self.config = config ?? ConfigurationFixture.ThirdParty()
    }

    /// What people call the provider that clients know as `provider`.
    func displayName(of provider: String) -> String { provider }

    /// Names of the providers that are switched on, as `/.well-known/config` shows them; nil for none.
    var names: [String]? { nil }
}
