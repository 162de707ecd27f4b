package import TestKit
import Testing

@testable package import SampleApp

@Suite struct BodyReaderTests {
    @Test func `odd bodies come to their readers, who refuse them`() throws {
        try checkBodyReaders(of: SampleApp.self)
    }
}

extension SampleApp: SamplesBodies {
    package static let routesWithoutBody: Set = [
        "POST /app/portal/login", "POST /app/portal/logout", "POST /app/miracl/login",
        "POST /app/miracl/logout", "POST /app/authzurl", "POST /app/.well-known/openid-configuration",
        "POST /app/.well-known/oauth-authorization-server",
        // Any body: a code covers it.
        "POST /app/login",
    ]

    package static func sampleBodies(for route: BodyRoute) -> SampleBodies {
        SampleBodies(
            forms: route.pattern == "/app/nextauth/token" ? ["grant_type=urn:understudy:webnonce"] : [])
    }

    package static func sampleCaller(of route: BodyRoute) throws -> SampleCaller<SampleApp> {
        // Nobody listens there: a server that happens to run at the default address is left alone.
        SampleCaller(
            try TestBench(
                SampleApp.self,
                fixtures: "{\"app\": {\"portal\": {\"token_server\": \"http://127.0.0.1:1/oauth\"}}}"))
    }
}
