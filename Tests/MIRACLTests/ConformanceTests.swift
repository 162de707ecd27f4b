import TestKit
import Testing

@testable import MIRACL

@Suite struct ConformanceTests {
    @Test func `the platform does what every platform must, with nothing in it`() throws {
        try checkConformance(of: MIRACL.self)
    }

    @Test func `the platform does what every platform must, with a project`() throws {
        try checkConformance(of: MIRACL.self, fixtures: TestProject.fixtures())
    }
}

extension MIRACL: CountsRefusals {
    /// Wrong PINs and codes are counted and block or spend at their limit, a proof and a first pass are good once, the audit tells of
    /// everything, and tokens that come again end their grant.
    package static let changedByRefusals = [
        "miracl.identities.*.wrong_count", "miracl.identities.*.state", "miracl.codes.*.failures",
        "miracl.codes.*.spent_at", "miracl.proofs", "miracl.passes", "miracl.audit",
        "miracl.oauth.access_tokens.*.ended", "miracl.oauth.refresh_tokens.*.ended",
        "miracl.oauth.grants.*.ended",
    ]
}
