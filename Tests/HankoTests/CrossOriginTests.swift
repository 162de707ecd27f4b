import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

struct CrossOriginTests {
    private let exposed =
        "Retry-After,X-RateLimit-Limit,X-RateLimit-Remaining,X-RateLimit-Reset,X-Session-Lifetime,X-Session-Retention"

    @Test func `a page of an allowed origin may read the answer with credentials`() throws {
        let response = try TestBench.classic().get(
            "/hanko/health/alive", headers: ["Origin": "http://localhost:8888"])

        #expect(response.headers["Access-Control-Allow-Origin"] == "http://localhost:8888")
        #expect(response.headers["Access-Control-Allow-Credentials"] == "true")
        #expect(response.headers["Access-Control-Expose-Headers"] == exposed)
        #expect(response.headers.values(of: "Vary").contains("Origin"))
    }

    @Test func `the token header is exposed where it is used`() throws {
        let response = try TestBench.mobile().get(
            "/hanko/health/alive", headers: ["Origin": "http://localhost:8888"])

        #expect(response.headers["Access-Control-Expose-Headers"] == exposed + ",X-Auth-Token")
    }

    @Test func `a refusal can be read by the page as well`() throws {
        let response = try TestBench.classic().get("/hanko/me", headers: ["Origin": "http://localhost:8888"])

        #expect(response.status == .unauthorized)
        #expect(response.headers["Access-Control-Allow-Origin"] == "http://localhost:8888")
    }

    @Test func `another origin is granted nothing, a client without one is served`() throws {
        let bench = try TestBench.classic()

        let other = bench.get("/hanko/health/alive", headers: ["Origin": "http://evil.example"])
        #expect(other.headers["Access-Control-Allow-Origin"] == nil)
        let native = bench.get("/hanko/health/alive")
        #expect(native.status == .ok)
    }

    @Test func `a preflight grants what was asked for two hours`() throws {
        let response = try TestBench.classic().send(
            .options, "/hanko/passcode/login/initialize",
            headers: [
                "Origin": "http://localhost:8888", "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "content-type,x-language",
            ])

        #expect(response.status == .noContent)
        #expect(response.headers["Access-Control-Allow-Origin"] == "http://localhost:8888")
        #expect(response.headers["Access-Control-Allow-Credentials"] == "true")
        #expect(response.headers["Access-Control-Allow-Methods"] == "GET,HEAD,PUT,PATCH,POST,DELETE")
        #expect(response.headers["Access-Control-Allow-Headers"] == "content-type,x-language")
        #expect(response.headers["Access-Control-Max-Age"] == "7200")
        #expect(response.headers["Access-Control-Expose-Headers"] == nil)
        #expect(response.headers.values(of: "Vary").filter { $0 == "Origin" }.count == 1)
    }

    // Source: Echo, middleware CORS, which the original uses.
    @Test(arguments: [
        ("https://app.example.com", true), ("https://a.b.example.com", true), ("https://example.com", false),
        ("http://app.example.com", false), ("https://app.example.com.evil.test", false),
        ("http://localhost:3001", true), ("http://localhost:300", false), ("http://localhost:30001", false),
    ])
    func `stars and question marks stand for any text and any character`(origin: String, isAllowed: Bool)
        throws
    {
        for place in ["\"server\": {\"public\": {\"cors\": %}}", "\"cors\": %"] {
            let bench = try TestBench.classic(
                config: place.replacing(
                    "%",
                    with: #"{"allow_origins": ["https://*.example.com", "http://localhost:300?"]}"#))
            let response = bench.get("/hanko/health/alive", headers: ["Origin": origin])
            #expect(response.headers["Access-Control-Allow-Origin"] == (isAllowed ? origin : nil))
        }
    }

    @Test func `the place of 3.x wins over that of 2.7`() throws {
        let bench = try TestBench.classic(
            config: #"""
                "cors": {"allow_origins": ["https://new.test"]},
                "server": {"public": {"cors": {"allow_origins": ["https://old.test"]}}}
                """#)
        func allowed(_ origin: String) -> String? {
            bench.get("/hanko/health/alive", headers: ["Origin": origin])
                .headers["Access-Control-Allow-Origin"]
        }
        #expect(allowed("https://new.test") == "https://new.test")
        #expect(allowed("https://old.test") == nil)
        let error = #expect(throws: FixtureError.self) {
            try TestBench.classic(config: #""cors": {"allow_origins": ["*"]}"#)
        }
        #expect(error?.field == "hanko.config.cors.allow_origins")
    }

    @Test func `every origin may call where the fixtures say so twice`() throws {
        let bench = try TestBench.classic(
            config: """
                "server": {"public": {"cors": {"allow_origins": ["*"], "unsafe_wildcard_origin_allowed": true}}}
                """)

        let response = bench.get("/hanko/health/alive", headers: ["Origin": "http://any.example"])
        #expect(response.headers["Access-Control-Allow-Origin"] == "http://any.example")
    }
}
