/// Which app of a phone is meant: that of a platform, and of several accounts in it the one of that name.
package struct AppName: Sendable, Hashable {
    package let platform: String
    /// Empty for the first, which needs no name.
    package let account: String

    init(_ platform: String, _ account: String) { (self.platform, self.account) = (platform, account) }

    /// Accounts of one app on a phone, the first among them.
    package static let limit = 10
}
