package import TestKit
import Testing

@testable package import Hanko

@Suite struct BodyReaderTests {
    @Test func `odd bodies come to their readers, who refuse them`() throws {
        try checkBodyReaders(of: Hanko.self)
    }
}

extension Hanko: SamplesBodies {
    private static let ada = "ada00000-0000-4000-8000-000000000001"

    package static let sampleParameters = [
        "/hanko-admin/users/:id": "/hanko-admin/users/" + ada,
        "/hanko/admin/users/:id": "/hanko/admin/users/" + ada,
    ]

    package static let routesWithoutBody: Set = [
        "POST /hanko/logout", "POST /hanko/emails/:id/set_primary", "POST /hanko/token_exchange",
        "POST /hanko-admin/users/:id/emails/:email/set_primary",
        "POST /hanko/admin/users/:id/emails/:email/set_primary",
        // Without an action they begin a flow.
        "POST /hanko/login", "POST /hanko/registration", "POST /hanko/profile",
        "POST /hanko/webauthn/registration/initialize", "POST /hanko/saml/callback",
    ]

    package static func sampleBodies(for route: BodyRoute) -> SampleBodies {
        SampleBodies(forms: route.pattern.hasSuffix("/thirdparty/callback") ? ["state=x&code=y"] : [])
    }

    package static func sampleCaller(of route: BodyRoute) throws -> SampleCaller<Hanko> {
        let bench = try TestBench<Hanko>.withCast()
        guard route.pattern.hasPrefix("/hanko/") else { return SampleCaller(bench) }
        return SampleCaller(bench, headers: .bearer(try bench.mint("session", user: "ada@example.com")))
    }
}
