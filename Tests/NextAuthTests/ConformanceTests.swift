import NextAuth
import TestKit
import Testing

@Suite struct NextAuthConformanceTests {
    @Test func `it keeps what every platform promises`() throws {
        try checkConformance(of: NextAuth.self)
    }
}

extension NextAuth: CountsRefusals {
    /// Wrong PINs are counted and ask for another challenge, a flow that cannot begin tells so in its own object, and a session whose
    /// pings stopped ends with the request that finds it so, which is an event.
    package static let changedByRefusals = [
        "nextauth.instances.*.second_factor", "nextauth.instances.*.challenge",
        "nextauth.flows.*", "nextauth.events", "nextauth.device_sessions",
        "nextauth.web_sessions",
    ]
}
