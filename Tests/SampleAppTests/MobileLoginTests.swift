import Essentials
import HTTP
import PlatformKit
import SampleApp
import TestKit
import Testing

/// The mandatory checks of the back end of a mobile app, each broken alone.
@Suite struct MobileLoginTests {
    struct Scene {
        let bench: TestBench<SampleApp>
        let cloud: StubCloud

        init(_ cloud: StubCloud, url: String, settings: String) throws {
            self.cloud = cloud
            bench = try TestBench(
                SampleApp.self,
                fixtures: """
                    {"app": {"mobile_login": {"cloud": "\(url)", "username": "back-office", "password": "s:cret"\(settings)}}}
                    """)
        }

        func logIn(_ body: String = "{}", code: String? = StubCloud.authorization) -> Response {
            var headers: Headers = ["Content-Type": "application/json"]
            headers["X-PowerAuth-Authorization"] = code
            return bench.send(.post, "/app/login", body: Array(body.utf8), headers: headers)
        }

        func begin(token: String? = nil, body: String? = nil) -> Response {
            var headers: Headers = ["Content-Type": "application/json"]
            headers["X-PowerAuth-Token"] = token
            let body = body ?? (token == nil ? "{\"registrationId\":\"\(StubCloud.registrationID)\"}" : "")
            return bench.send(.post, "/app/login/init", body: Array(body.utf8), headers: headers)
        }

        /// Begins a login and hands over its session.
        func session() throws -> String { try #require(begin().fields["session"]) }

        func confirm(
            _ session: String?, token: String? = nil, id: String = StubCloud.operationID,
            agent: String = "App/1.0"
        ) -> Response {
            var headers: Headers = ["Content-Type": "application/json", "User-Agent": agent]
            headers["Cookie"] = session.map { "app_login=\($0)" }
            headers["X-PowerAuth-Token"] = token
            return bench.send(
                .post, "/app/login/confirm", body: Array("{\"operationId\":\"\(id)\"}".utf8), headers: headers
            )
        }

        /// Asserts a refusal: status, body, and what the developer reads.
        func expect(_ response: Response, _ status: Status, _ code: String, _ explanation: String) {
            #expect(response.status == status)
            #expect(response.fields == ["error": code])
            #expect(bench.explanation?.contains(explanation) == true, "\(bench.explanation ?? "nothing")")
        }
    }

    private func withScene(_ settings: String = "", _ body: (Scene) throws -> Void) throws {
        let cloud = StubCloud()
        try cloud.run { url in
            let scene = try Scene(cloud, url: url, settings: settings)
            try body(scene)
            #expect(scene.bench.reports.lines == [])
            #expect(scene.bench.misshapenExplanations == [])
        }
    }

    // MARK: Authentication codes

    @Test func `an authentication code over the raw body logs in`() throws {
        try withScene { scene in
            let answer = scene.logIn("{ \"x\" : \"\\/\" }\n")

            #expect(answer.status == .ok)
            #expect(answer.fields["userId"] == "eva")
            let call = try #require(scene.cloud.requests.first)
            #expect(
                call.headers["Authorization"] == "Basic "
                    + Data("back-office:s:cret".utf8).base64EncodedString())
            let sent = try JSONValue(parsing: call.body)
            #expect(
                sent == [
                    "method": "POST", "uriId": "/login", "authHeader": .string(StubCloud.authorization),
                    "requestBody": .string(Data("{ \"x\" : \"\\/\" }\n".utf8).base64EncodedString()),
                ])
            let session = try #require(answer.fields["session"])
            let me = scene.bench.get("/app/me", headers: ["Authorization": "Bearer \(session)"])
            #expect(me.fields == ["userId": "eva"])
        }
    }

    @Test func `without the header nothing is asked of the platform`() throws {
        try withScene { scene in
            scene.expect(
                scene.logIn(code: nil), .unauthorized, "authentication_required", "X-PowerAuth-Authorization")
            #expect(scene.cloud.requests.isEmpty)
        }
    }

    @Test func `a wrong code is refused`() throws {
        try withScene { scene in
            scene.cloud.change {
                $0.proof["signatureValid"] = false
                $0.proof["remainingAttempts"] = 4
            }
            scene.expect(scene.logIn(), .unauthorized, "authentication_failed", "4 attempts are left")
        }
    }

    @Test(arguments: ["possession", "knowledge", "biometry"])
    func `one factor is too few`(_ type: String) throws {
        try withScene { scene in
            scene.cloud.change { $0.proof["signatureType"] = .string(type) }
            scene.expect(scene.logIn(), .forbidden, "factors_insufficient", "signed with \(type)")
        }
    }

    @Test func `a session ends with its time`() throws {
        try withScene(", \"session_seconds\": 10") { scene in
            let session = try #require(scene.logIn().fields["session"])
            try scene.bench.clock.advance(seconds: 10)

            let me = scene.bench.get("/app/me", headers: ["Authorization": "Bearer \(session)"])
            scene.expect(me, .unauthorized, "not_logged_in", "no session of a logged-in user")
        }
    }

    // MARK: Operations

    @Test func `an approved operation logs its user in, once`() throws {
        try withScene { scene in
            let session = try scene.session()
            scene.expect(scene.confirm(session), .forbidden, "not_approved", "PENDING, expected APPROVED")

            scene.cloud.approve(at: scene.bench.clock.now)
            let answer = scene.confirm(session)
            #expect(answer.status == .ok)
            #expect(answer.fields["userId"] == "eva")
            #expect(answer.fields["registrationId"] == StubCloud.registrationID)
            #expect(answer.headers["Set-Cookie"]?.hasPrefix("app_session=") == true)

            scene.expect(scene.confirm(session), .forbidden, "already_used", "good once")
        }
    }

    @Test func `the operation is created by template and registration alone`() throws {
        try withScene { scene in
            _ = scene.begin()

            let call = try #require(scene.cloud.requests.first)
            #expect(call.path == "/powerauth-cloud/v2/operations")
            let sent = try JSONValue(parsing: call.body)
            #expect(
                sent == [
                    "template": "login", "registrationId": .string(StubCloud.registrationID),
                ])
        }
    }

    @Test(arguments: ["REJECTED", "CANCELED", "EXPIRED", "FAILED"])
    func `nothing but APPROVED logs in`(_ status: String) throws {
        try withScene { scene in
            let session = try scene.session()
            scene.cloud.approve(at: scene.bench.clock.now)
            scene.cloud.change { $0.operation["status"] = .string(status) }

            scene.expect(scene.confirm(session), .forbidden, "not_approved", "\(status), expected APPROVED")
        }
    }

    @Test func `another session, or none, cannot confirm`() throws {
        try withScene { scene in
            _ = try scene.session()
            scene.cloud.approve(at: scene.bench.clock.now)

            scene.expect(scene.confirm("0000"), .forbidden, "login_unknown", "session in which a login began")
            scene.expect(scene.confirm(nil), .forbidden, "login_unknown", "no session")
        }
    }

    @Test func `an operation that no login began with is not confirmed`() throws {
        try withScene { scene in
            let session = try scene.session()
            scene.expect(
                scene.confirm(session, id: "7f6d2f0e-8a29-4a44-9a0c-3a7d0d8f1b02"), .forbidden,
                "login_unknown",
                "has the operation 7f6d")
        }
    }

    @Test func `a minute after the approval is in time, a second more is too late`() throws {
        try withScene { scene in
            let session = try scene.session()
            scene.cloud.approve(at: scene.bench.clock.now)
            try scene.bench.clock.advance(seconds: 61)
            scene.expect(scene.confirm(session), .forbidden, "too_late", "61 s ago")
            try scene.bench.clock.advance(seconds: -1)

            #expect(scene.confirm(session).status == .ok)
        }
    }

    @Test func `the user must be the one for whom it began`() throws {
        try withScene { scene in
            let session = try scene.session()
            scene.cloud.approve(at: scene.bench.clock.now)
            scene.cloud.change { $0.operation["userId"] = "mallory" }

            scene.expect(scene.confirm(session), .forbidden, "device_mismatch", "approved by mallory")
        }
    }

    @Test func `the registration must be the one for which it began`() throws {
        try withScene { scene in
            let session = try scene.session()
            scene.cloud.approve(at: scene.bench.clock.now)
            scene.cloud.change { $0.operation["registrationId"] = nil }

            scene.expect(
                scene.confirm(session), .forbidden, "device_mismatch",
                "bound to the registration of no device")
        }
    }

    @Test func `where it is asked for, the device must be the one that approved`() throws {
        try withScene(", \"compares_device\": true") { scene in
            let session = try scene.session()
            scene.cloud.approve(at: scene.bench.clock.now)
            scene.expect(
                scene.confirm(session, agent: "Other/2"), .forbidden, "device_mismatch",
                "user agent that confirms is Other/2")

            #expect(scene.confirm(session).status == .ok)
        }
    }

    // MARK: MAC tokens

    @Test func `the device is the token's, whatever the body says`() throws {
        try withScene { scene in
            let begun = scene.begin(token: StubCloud.token, body: "{\"registrationId\":\"another\"}")

            #expect(begun.status == .ok)
            let calls = scene.cloud.requests
            let asked = try JSONValue(parsing: calls[0].body)
            let created = try JSONValue(parsing: calls[1].body)
            #expect(asked == ["authHeader": .string(StubCloud.token)])
            #expect(created["registrationId"]?.string == StubCloud.registrationID)
        }
    }

    @Test func `an invalid token begins nothing`() throws {
        try withScene { scene in
            scene.cloud.change {
                $0.token["tokenValid"] = false
                $0.token["registrationStatus"] = "BLOCKED"
            }
            scene.expect(
                scene.begin(token: StubCloud.token), .unauthorized, "authentication_failed",
                "registration is BLOCKED")
            #expect(scene.cloud.requests.count == 1)
        }
    }

    @Test func `a stale token is a bad proof, not a failure of ours`() throws {
        try withScene { scene in
            scene.cloud.change { $0.status = .badRequest }
            scene.expect(
                scene.begin(token: StubCloud.token), .unauthorized, "authentication_failed", "not valid")
        }
    }

    @Test func `where a token is required, a name is not enough`() throws {
        try withScene(", \"requires_token\": true") { scene in
            scene.expect(
                scene.begin(), .unauthorized, "authentication_required", "X-PowerAuth-Token is missing")
            let session = try #require(scene.begin(token: StubCloud.token).fields["session"])
            scene.cloud.approve(at: scene.bench.clock.now)
            scene.expect(
                scene.confirm(session), .unauthorized, "authentication_required",
                "X-PowerAuth-Token is missing")

            #expect(scene.confirm(session, token: StubCloud.token).status == .ok)
        }
    }

    @Test func `the token that confirms must be of the same device`() throws {
        try withScene { scene in
            let session = try scene.session()
            scene.cloud.approve(at: scene.bench.clock.now)
            scene.cloud.change { $0.token["registrationId"] = "another" }

            scene.expect(
                scene.confirm(session, token: StubCloud.token), .forbidden, "device_mismatch",
                "of the registration another")
        }
    }

    // MARK: The platform

    @Test func `a login that names no device is malformed`() throws {
        try withScene { scene in
            scene.expect(scene.begin(body: ""), .badRequest, "invalid_request", "names no device")
            scene.expect(scene.begin(body: "{"), .badRequest, "invalid_request", "not JSON")
        }
    }

    @Test func `a platform that refuses is told`() throws {
        try withScene { scene in
            scene.cloud.change { $0.status = .badRequest }
            scene.expect(
                scene.begin(), .badGateway, "platform_failed", "refused the creation of an operation with 400"
            )
        }
    }

    @Test func `a platform that is not there is told`() throws {
        let bench = try TestBench(
            SampleApp.self,
            fixtures: "{\"app\": {\"mobile_login\": {\"cloud\": \"http://127.0.0.1:1/powerauth-cloud\"}}}")
        let answer = bench.send(
            .post, "/app/login", headers: ["X-PowerAuth-Authorization": StubCloud.authorization])

        #expect(answer.status == .badGateway)
        #expect(bench.explanation?.contains("did not answer") == true)
    }

    @Test func `a base URL that is none is refused at the fixtures`() throws {
        #expect(throws: (any Error).self) {
            try TestBench(
                SampleApp.self, fixtures: "{\"app\": {\"mobile_login\": {\"cloud\": \"localhost\"}}}")
        }
    }
}
