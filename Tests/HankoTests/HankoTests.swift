import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

struct HankoTests {
    @Test func `hanko keeps the rules of every platform`() throws {
        try checkConformance(of: Hanko.self)
    }

    @Test(arguments: ["/hanko", "/hanko/"])
    func `the root says that the server is up`(path: String) throws {
        let page = try TestBench.classic().get(path)

        #expect(page.status == .ok)
        #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(page.text.contains("Hanko is up"))
    }

    @Test(arguments: ["/hanko", "/hanko/", "/hanko-admin"])
    func `a browser is told at the root where to look`(path: String) throws {
        let page = try TestBench.classic().get(path, headers: ["Accept": "text/html,application/xhtml+xml"])

        #expect(page.status == .ok)
        #expect(page.text.contains("Hanko is up: the public API 2.7, classic profile."))
        #expect(page.text.contains("/journal?platform=hanko"))
    }

    @Test(arguments: [("alive", "{\"alive\":true}\n"), ("ready", "{\"ready\":true}\n")])
    func `health answers in JSON with a line feed`(probe: String, body: String) throws {
        let health = try TestBench.classic().get("/hanko/health/\(probe)")

        #expect(health.status == .ok)
        #expect(health.headers["Content-Type"] == "application/json")
        #expect(health.text == body)
    }

    @Test func `the public configuration is that of the document`() throws {
        let response = try TestBench.classic().get("/hanko/.well-known/config")

        #expect(response.status == .ok)
        #expect(
            response.text == """
                {"account":{"allow_deletion":false,"allow_signup":true},\
                "emails":{"max_num_of_addresses":5,"require_verification":true},\
                "password":{"enabled":true,"min_password_length":8},\
                "providers":null,"use_enterprise":false}

                """)
    }

    @Test func `the public configuration follows the fixtures`() throws {
        let bench = try TestBench.classic(
            config: """
                "account": {"allow_deletion": true, "allow_signup": false},
                "email": {"limit": 2, "require_verification": false},
                "password": {"enabled": false, "min_length": 12},
                """)

        #expect(
            bench.get("/hanko/.well-known/config").text == """
                {"account":{"allow_deletion":true,"allow_signup":false},\
                "emails":{"max_num_of_addresses":2,"require_verification":false},\
                "password":{"enabled":false,"min_password_length":12},\
                "providers":null,"use_enterprise":false}

                """)
    }

    @Test func `every response carries a request id`() throws {
        let bench = try TestBench.classic()

        #expect(bench.get("/hanko/health/alive").headers["X-Request-Id"]?.isEmpty == false)
        #expect(bench.get("/hanko/nowhere").headers["X-Request-Id"]?.isEmpty == false)
    }

    @Test func `an unknown path is 404, a wrong method 405, both in the classic shape`() throws {
        let bench = try TestBench.classic()

        let lost = bench.get("/hanko/nowhere")
        #expect(lost.status == .notFound)
        #expect(lost.text == refusal(404, "Not Found"))
        let wrong = bench.delete("/hanko/health/alive")
        #expect(wrong.status == .methodNotAllowed)
        #expect(wrong.text == refusal(405, "Method Not Allowed"))
        #expect(wrong.headers["Allow"] == "GET, HEAD")
    }

    @Test func `users cannot be listed, whatever one document says`() throws {
        let bench = try TestBench.classic()

        let response = bench.get("/hanko/users?email=ada@example.com")
        #expect(response.status == .methodNotAllowed)
        #expect(response.text == refusal(405, "Method Not Allowed"))
        #expect(response.headers["Allow"] == "POST")
        #expect(bench.explanation?.contains("POST /user") == true)
    }

    @Test func `an error that nobody mapped is 500 in the classic shape`() throws {
        struct Accident: Error {}

        let response = try Hanko.response(for: Accident())
        #expect(response.status == .internalServerError)
        #expect(response.text == refusal(500, "Internal Server Error"))
    }

    @Test func `a malformed request that the kit found is 400`() throws {
        let response = try Hanko.response(for: RequestMalformed(reason: "cut short"))

        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "Bad Request"))
    }

    @Test func `the same seed tells the same story, another seed another`() throws {
        func story(_ seed: UInt64) throws -> [String] {
            let bench = try TestBench.classic(seed: seed)
            let created = try bench.register("new@example.com")
            let (id, code) = try bench.startPasscode(for: created.id)
            let session = try bench.finishPasscode(id, code).sessionToken
            return [created.id, created.email_id, id, code, session ?? ""]
        }

        #expect(try story(7) == story(7))
        #expect(try story(7) != story(8))
    }
}

extension Hanko: CountsRefusals {
    /// A flow goes on with the error in its answer, wrong passcodes and rates are counted, the audit log tells of everything, and a
    /// session or a passcode that is over goes with the request that finds it so.
    package static let changedByRefusals = [
        "hanko.flows", "hanko.passcodes", "hanko.rate_limits", "hanko.audit_logs", "hanko.sessions",
        // An idle session that ends calls webhooks, which notes the call.
        "hanko.webhooks.*.expires_at", "hanko.webhooks.*.updated_at",
    ]
}
