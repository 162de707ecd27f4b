import TestKit
import Testing

@testable import Onegini

struct ConformanceTests {
    @Test func `the token server keeps the promises of every platform`() throws {
        try checkConformance(of: Onegini.self)
    }
}

extension Onegini: CountsRefusals {
    /// Every refusal is an event. Wrong answers are counted and end at their limit what they were given for; tokens that come again
    /// end their grant; an assertion is good once; and what is too late goes with the request that finds it so.
    package static let changedByRefusals =
        ["attempts", "ended_at", "callback", "reason", "state"].map { "onegini.transactions.*." + $0 }
        + [
            "onegini.events", "onegini.callback_log", "onegini.tombstones", "onegini.registrations",
            "onegini.app_links", "onegini.devices.*.profiles", "onegini.devices.*.removed_profiles",
            "onegini.oauth.access_tokens.*.ended",
            "onegini.oauth.refresh_tokens.*.ended", "onegini.oauth.refresh_tokens.*.answer",
            "onegini.oauth.grants.*.ended", "onegini.oauth.assertions",
        ]
}
