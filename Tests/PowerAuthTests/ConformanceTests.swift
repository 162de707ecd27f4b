import PowerAuth
import TestKit
import Testing

@Suite struct PowerAuthConformanceTests {
    @Test func `it keeps what every platform promises`() throws {
        try checkConformance(of: PowerAuth.self)
    }
}
