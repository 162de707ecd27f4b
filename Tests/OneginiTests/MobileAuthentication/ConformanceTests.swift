import TestKit
import Testing

@testable import Onegini

struct ConformanceTests {
    @Test func `the token server keeps the promises of every platform`() throws {
        try checkConformance(of: Onegini.self)
    }
}
