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

    @Test func `every origin may call where the fixtures say so twice`() throws {
        let bench = try TestBench.classic(
            config: """
                "server": {"public": {"cors": {"allow_origins": ["*"], "unsafe_wildcard_origin_allowed": true}}}
                """)

        let response = bench.get("/hanko/health/alive", headers: ["Origin": "http://any.example"])
        #expect(response.headers["Access-Control-Allow-Origin"] == "http://any.example")
    }
}
