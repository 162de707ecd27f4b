import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Hanko

/// How flows are told apart, guarded, kept and ended.
struct EngineTests {
    static func early(_ code: String, _ status: Int, _ message: String) -> JSON {
        [
            "name": "error", "status": .integer(status), "csrf_token": "", "actions": [:], "links": .null,
            "error": ["code": .string(code), "message": .string(message)],
        ]
    }

    static let technical = early("technical_error", 500, "Something went wrong.")
    static let notPermitted = early(
        "operation_not_permitted_error", 403, "The operation is not permitted.")

    @Test(arguments: ["", "?action=", "?other=1"])
    func `without an action a flow begins, whatever the body says`(query: String) throws {
        let bench = try TestBench.flows()

        let response = bench.post(
            "/hanko/login" + query, raw: "[not JSON", headers: ["Content-Type": "text/plain"])
        #expect(response.status == .ok)
        #expect(try JSON(parsing: response.bytes)["name"] == "preflight")
    }

    @Test(arguments: ["login", "registration"])
    func `each kind of flow has its own first state`(kind: String) throws {
        var client = try FlowClient(TestBench.flows(), "/\(kind)")
        try client.preflight()

        #expect(client.state == "\(kind)_init")
    }

    @Test(arguments: [
        ("register_client_capabilities", "{}", "name@flow-id"),
        ("register_client_capabilities@1@2", "{}", "name@flow-id"),
        ("register_client_capabilities@none", "{}", "name@flow-id"),
        ("register_client_capabilities@%", "[]", "JSON object"),
        ("register_client_capabilities@%", "{\"csrf_token\":", "not the expected JSON"),
        ("register_client_capabilities@%", "{\"csrf_token\":12}", "csrf_token"),
        ("register_client_capabilities@%", "{\"input_data\":[]}", "input_data"),
    ])
    func `what cannot be understood is a technical error and changes nothing`(
        action: String, body: String, explanation: String
    ) throws {
        let bench = try TestBench.flows()
        var client = try FlowClient(bench, "/login")
        let id = try String(
            #require(client.href("register_client_capabilities").split(separator: "%40").last))

        let response = bench.post(
            "/hanko/login?action=" + action.replacing("%", with: id).percentEncoded, raw: body)
        #expect(response.status == .internalServerError)
        #expect(try JSON(parsing: response.bytes) == Self.technical)
        #expect(bench.explanation?.contains(explanation) == true, "\(bench.explanation ?? "")")
        #expect(bench.journal.first { $0.kind == .request }?.isBug == false)
        #expect(bench.misshapenExplanations == [])
        try client.preflight()
        #expect(client.state == "login_init")
    }

    @Test func `a body of another type is a technical error`() throws {
        let bench = try TestBench.flows()
        let client = try FlowClient(bench, "/login")

        let response = bench.post(
            "/hanko" + (try client.href("register_client_capabilities")), raw: "{}",
            headers: ["Content-Type": "text/plain"])
        #expect(try JSON(parsing: response.bytes) == Self.technical)
        #expect(bench.explanation?.contains("application/json") == true)
    }

    @Test func `members of the body may be written in any case, those of the inputs may not`() throws {
        let bench = try TestBench.classic()
        let client = try FlowClient(bench, "/login")

        let response = bench.post(
            "/hanko" + (try client.href("register_client_capabilities")),
            raw: "{\"CSRF_Token\":\"\(client.token)\",\"Input_Data\":{\"WEBAUTHN_AVAILABLE\":true}}")
        #expect(try JSON(parsing: response.bytes)["name"] == "login_init")
        #expect(try JSON(parsing: response.bytes)["payload"] == [:])
    }

    @Test func `a flow that never was, or is of another kind, is not permitted`() throws {
        let bench = try TestBench.flows()
        var client = try FlowClient(bench, "/login")
        let (href, token) = (try client.href("register_client_capabilities"), client.token)

        for stranger in [
            "/login?action=register_client_capabilities%40ada00000-0000-4000-8000-0000000000ff",
            href.replacing("/login", with: "/registration"),
        ] {
            try client.post(stranger, token: token)
            #expect(client.status == 403)
            #expect(client.body == Self.notPermitted)
            #expect(bench.explanation?.contains("There is no") == true)
        }
        try client.post(href.uppercasedID, token: token)
        #expect(client.state == "login_init")
    }

    @Test func `an old token, another one and none are not permitted, and leave the newest one good`() throws
    {
        let bench = try TestBench.flows()
        var client = try FlowClient(bench, "/login")
        let first = client.token
        try client.preflight()
        let (href, newest) = (try client.href("continue_with_login_identifier"), client.token)

        for token in [first, newest.lowercased() + "x", "", nil] {
            try client.post(href, token: token, ["email": .string(Ada.address)])
            #expect(client.body == Self.notPermitted)
            #expect(bench.explanation?.contains("csrf_token") == true)
        }
        try client.post(href, token: newest, ["email": .string(Ada.address)])
        #expect(client.status == 200)
    }

    @Test func `an action of another state, or one that is suspended, is not permitted and says why`() throws
    {
        let bench = try TestBench.flows()
        var client = try bench.flow("/login")
        let (href, token) = (try client.href("continue_with_login_identifier"), client.token)

        try client.post(
            href.replacing("continue_with_login_identifier", with: "verify_passcode"), token: token)
        #expect(client.body == Self.notPermitted)
        #expect(bench.explanation?.contains("has no action “verify_passcode”") == true)
        try client.post(
            href.replacing("continue_with_login_identifier", with: "remember_me"), token: token,
            ["remember_me": true])
        #expect(client.body == Self.notPermitted)
        #expect(bench.explanation?.contains("session.cookie.retention is not prompt") == true)
        try client.post(href, token: token, ["email": .string(Ada.address)])
        #expect(client.status == 200)
    }

    @Test func `a flow lives for a day by the world's clock, and is told from none for another`() throws {
        let bench = try TestBench.flows()
        var client = try FlowClient(bench, "/login")
        let (href, token) = (try client.href("register_client_capabilities"), client.token)

        try bench.clock.advance(seconds: 86_401)
        try client.post(href, token: "wrong")
        #expect(client.status == 410)
        #expect(client.body == Self.early("flow_expired_error", 410, "The flow has expired."))
        try bench.clock.advance(seconds: -1)
        try client.post(href, token: token)
        #expect(client.state == "login_init")

        try bench.clock.advance(seconds: 86_400 * 2 + 1)
        _ = try FlowClient(bench, "/login")
        try client.post(href, token: token)
        #expect(client.body == Self.notPermitted)
    }

    @Test func `a profile flow needs a session, at every step`() throws {
        let bench = try TestBench.classic()
        var client = try FlowClient(bench, "/profile")
        #expect(client.status == 401)
        #expect(client.body == Self.early("unauthorized", 401, "The session is invalid."))
        #expect(bench.explanation?.contains("carries no session") == true)

        let token = try bench.signIn(Ada.id)
        client = try FlowClient(bench, "/profile", headers: .bearer(token))
        #expect(client.state == "preflight")
        client.headers = [:]
        try client.run("register_client_capabilities")
        #expect(client.status == 401)
    }

    @Test func `the exchange of tokens needs SAML`() throws {
        let classic = try TestBench.flows()
        #expect(classic.send(.post, "/hanko/token_exchange").text == refusal(404, "Not Found"))

        let current = try TestBench.flows(section: #""profile": "current","#)
        let response = current.send(.post, "/hanko/token_exchange")
        #expect(response.status == .forbidden)
        #expect(try JSON(parsing: response.bytes) == Self.early("forbidden", 403, "Access is forbidden."))
    }

    @Test func `what fails is undone, and answered as a technical error`() throws {
        let bench = try TestBench.flows()
        var client = try bench.flow("/login")
        try client.run("continue_with_login_identifier", ["email": .string(Ada.address)])
        try client.run("continue_to_password_login")
        let (href, token) = (try client.href("password_login"), client.token)
        try bench.world.database.write { try $0.execute("DROP TABLE hanko_password") }

        try client.post(href, token: token, ["password": "any"])
        #expect(client.body == Self.technical)
        #expect(bench.journal.first { $0.kind == .request }?.isBug == true)
    }

    @Test func `old flows make room`() throws {
        let bench = try TestBench.flows()
        let now = bench.clock.now
        try bench.world.database.write { db in
            for number in 1...10_002 {
                try db.insert(
                    Flow(
                        id: "f\(number)", kind: .login, state: .preflight, schedule: [], csrfToken: "t",
                        at: now))
            }
        }
        let left = try bench.world.database.read { try $0.all(Flow.self).map(\.id) }
        #expect(left.count == 10_000)
        #expect(left.first == "f3")
    }

    // MARK: Pure rules

    static func flow(_ state: FlowState, _ schedule: [FlowState] = []) -> Flow {
        Flow(
            id: "f", kind: .login, state: state, schedule: schedule, csrfToken: "t",
            at: .init(timeIntervalSince1970: 0))
    }

    static func step(_ flow: Flow, isRevertible: Bool = true) -> Flow.Step {
        Flow.Step(state: flow.state, schedule: flow.schedule, stash: flow.stash, isRevertible: isRevertible)
    }

    @Test func `states that an action names come before what was scheduled`() {
        var flow = Self.flow(.loginInit, [.success])
        flow.advance(to: [.loginOTP, .deviceTrust], leaving: Self.step(flow))

        #expect(flow.state == .loginOTP)
        #expect(flow.schedule == [.deviceTrust, .success])
        #expect(flow.previousState == .loginInit)
        flow.advance(to: [], leaving: Self.step(flow))
        #expect(flow.state == .deviceTrust)
    }

    @Test func `going back restores state, schedule and stash, but not the passcode`() {
        var flow = Self.flow(.loginInit, [.success])
        let passcode = FlowPasscode(
            id: "p", address: "a", digest: [], createdAt: flow.createdAt, expiresAt: flow.expiresAt)
        let step = Self.step(flow)
        flow.stash.email = "ada@example.com"
        flow.advance(to: [.passcodeConfirmation], leaving: step)
        flow.passcode = passcode

        let isBack = flow.goBack()
        #expect(isBack)
        #expect(flow.state == .loginInit)
        #expect(flow.schedule == [.success])
        #expect(flow.stash == FlowStash())
        #expect(flow.passcode == passcode)
        #expect(flow.history == [])
        let isBackAgain = flow.goBack()
        #expect(!isBackAgain)
    }

    @Test func `only a revertible step can be taken back`() {
        var flow = Self.flow(.loginInit)
        flow.advance(to: [.loginPassword], leaving: Self.step(flow))
        flow.advance(to: [.deviceTrust], leaving: Self.step(flow, isRevertible: false))

        #expect(!flow.canGoBack)
        let isBackAgain = flow.goBack()
        #expect(!isBackAgain)
        #expect(flow.state == .deviceTrust)
    }

    @Test func `a state that leads to itself leaves no history, and is its own predecessor`() {
        var flow = Self.flow(.loginInit)
        flow.advance(to: [.loginInit], leaving: Self.step(flow))

        #expect(flow.history == [])
        #expect(flow.previousState == .loginInit)
        flow.advance(to: [.loginPassword], leaving: Self.step(flow))
        flow.stay()
        #expect(flow.previousState == .loginPassword)
    }

    @Test func `history does not grow without end`() {
        var flow = Self.flow(.loginInit)
        for _ in 1...100 {
            flow.advance(to: [.loginPassword], leaving: Self.step(flow))
            flow.advance(to: [.loginInit], leaving: Self.step(flow))
        }
        #expect(flow.history.count == Flow.historyLimit)
    }

    @Test func `with nothing scheduled there is only the end`() {
        var flow = Self.flow(.loginInit)
        flow.advance(to: [], leaving: Self.step(flow))
        #expect(flow.state == .error)
    }
}

extension String {
    /// The address with the flow's id in upper case.
    fileprivate var uppercasedID: String {
        let parts = split(separator: "%40").map(String.init)
        return parts[0] + "%40" + parts[1].uppercased()
    }
}
