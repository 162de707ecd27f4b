package import TestKit
import Testing

@testable package import MIRACL

@Suite struct BodyReaderTests {
    @Test func `odd bodies come to their readers, who refuse them`() throws {
        try checkBodyReaders(of: MIRACL.self)
    }
}

extension MIRACL: SamplesBodies {
    package static let sampleParameters = ["project": "understudy"]

    package static let routesWithoutBody: Set = [
        "POST /miracl/rps/v2/getAccessNumber", "POST /miracl/rps/v2/setupDone/:id",
    ]

    package static func sampleBodies(for route: BodyRoute) -> SampleBodies {
        SampleBodies(forms: route.pattern == "/miracl/oidc/token" ? ["grant_type=password"] : [])
    }

    package static func sampleCaller(of route: BodyRoute) throws -> SampleCaller<MIRACL> {
        SampleCaller(
            try TestBench<MIRACL>.withCast(), headers: .basic(ofCast: "miracl-app", "miracl-secret"))
    }
}
