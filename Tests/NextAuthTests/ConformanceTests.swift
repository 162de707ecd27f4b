import NextAuth
import TestKit
import Testing

@Suite struct NextAuthConformanceTests {
    @Test func `it keeps what every platform promises`() throws {
        try checkConformance(of: NextAuth.self)
    }
}
