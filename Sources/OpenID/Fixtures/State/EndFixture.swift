package import Essentials

/// When and why something stopped being good, in a fixture file.
package struct EndFixture: Codable, Sendable {
    package var at: Date
    package var because: TokenEnd.Reason

    init?(_ end: TokenEnd?) {
        guard let end else { return nil }
        (at, because) = (end.at, end.reason)
    }

    var end: TokenEnd { TokenEnd(at: at, reason: because) }
}
