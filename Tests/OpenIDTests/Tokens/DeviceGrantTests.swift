import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import OpenID

/// The device grant, a test for each sentence. Source: RFC 8628.
struct DeviceGrantTests {
    let bench: TestBench<MountedServer>

    init() throws { bench = try TestBench.tokens() }

    private func start(as client: String = "app") -> [String: String] {
        bench.ask("/device_authorization", [("scope", "openid read")], as: client).fields
    }

    private func poll(_ device: [String: String], as client: String = "app") -> Response {
        bench.ask(
            "/token", [("grant_type", GrantType.deviceCode), ("device_code", device["device_code"] ?? "")],
            as: client)
    }

    /// What the page does when the user says yes or no.
    private func decide(_ device: [String: String], approves: Bool) throws {
        let server = bench.server
        let now = bench.clock.now
        let typed = UserCode.normalized(device["user_code"] ?? "")
        try bench.world.database.write { db in
            var request = try #require(try server.deviceRequests.find(userCode: typed, in: db))
            request.state = approves ? .approved : .denied
            guard approves else { return try db.update(request) }
            let grant = Grant(
                id: "device-grant", clientID: request.clientID, subject: TokenCast.alice,
                scope: request.scope,
                issuer: request.issuer, type: GrantType.deviceCode, authenticatedAt: now, createdAt: now)
            try server.grants.insert(grant, in: db)
            request.grantID = grant.id
            try db.update(request)
        }
    }

    @Test(arguments: ["app", "web"])
    func `a device gets a code for itself, one for its user, and where to type it`(_ client: String) {
        let answer = bench.ask("/device_authorization", [("scope", "openid")], as: client)
        #expect(answer.status == .ok)
        #expect(answer.headers["Cache-Control"] == "no-store")
        let fields = answer.fields
        #expect(
            Set(fields.keys) == [
                "device_code", "user_code", "verification_uri", "verification_uri_complete", "expires_in",
                "interval",
            ])
        #expect(
            fields["user_code"]?.wholeMatch(of: /[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/) != nil)
        #expect(fields["verification_uri"] == "http://localhost:8420/oauth/device_authorization/verification")
        #expect(
            fields["verification_uri_complete"]
                == "http://localhost:8420/oauth/device_authorization/verification?user_code=\(fields["user_code"] ?? "")"
        )
        #expect(fields["expires_in"] == "600")
        #expect(fields["interval"] == "5")
    }

    @Test func `no two devices have the same codes`() {
        let devices = (1...50).map { _ in start() }
        #expect(Set(devices.map { $0["user_code"] }).count == 50)
        #expect(Set(devices.map { $0["device_code"] }).count == 50)
    }

    @Test func `a client that may not use the grant is refused`() {
        let answer = bench.ask("/device_authorization", [("scope", "read")], as: "machine")
        #expect(answer.refusal == "400 unauthorized_client")
    }

    @Test func `a scope that the client may not have is refused at once`() {
        #expect(
            bench.ask("/device_authorization", [("scope", "admin")], as: "app").refusal == "400 invalid_scope"
        )
    }

    @Test func `while the user thinks the authorization is pending`() throws {
        let device = start()
        #expect(poll(device).refusal == "400 authorization_pending")
        try bench.clock.advance(seconds: 5)
        #expect(poll(device).refusal == "400 authorization_pending")
        #expect(
            bench.explanation?.contains("has not entered \(device["user_code"] ?? "?") and approved yet")
                == true)
    }

    @Test func `who asks too fast has to wait five seconds more from then on`() throws {
        let device = start()
        #expect(poll(device).refusal == "400 authorization_pending")
        try bench.clock.advance(seconds: 4)
        #expect(poll(device).refusal == "400 slow_down")
        #expect(
            bench.explanation?.contains("after 4 s, sooner than it may; from now on it has to wait 10 s")
                == true)
        try bench.clock.advance(seconds: 9)
        #expect(poll(device).refusal == "400 slow_down")
        try bench.clock.advance(seconds: 15)
        #expect(poll(device).refusal == "400 authorization_pending")
    }

    @Test func `when the user has approved there are tokens, once`() throws {
        let device = start()
        _ = poll(device)
        try decide(device, approves: true)
        let answer = poll(device)
        #expect(answer.status == .ok)
        #expect(answer.fields["scope"] == "openid read")
        #expect(try bench.verified(answer.fields["id_token"]).claims["sub"] == .string(TokenCast.alice))
        #expect(answer.fields["refresh_token"] != nil)
        #expect(poll(device).refusal == "400 invalid_grant")
        #expect(bench.explanation?.contains("redeemed before") == true)
    }

    @Test func `of a hundred requests with an approved code at the same time one is served`() async throws {
        let device = start()
        try decide(device, approves: true)
        let statuses = await withTaskGroup(of: Status.self) { group in
            for _ in 1...100 { group.addTask { poll(device).status } }
            return await group.reduce(into: [Status]()) { $0.append($1) }
        }
        #expect(statuses.count { $0 == .ok } == 1)
    }

    @Test func `when the user has declined access is denied`() throws {
        let device = start()
        try decide(device, approves: false)
        #expect(poll(device).refusal == "400 access_denied")
    }

    @Test func `after ten minutes the code has expired, approved or not`() throws {
        let (late, approved) = (start(), start())
        try decide(approved, approves: true)
        try bench.clock.advance(seconds: 599)
        #expect(poll(late).refusal == "400 authorization_pending")
        try bench.clock.advance(seconds: 1)
        #expect(poll(late).refusal == "400 expired_token")
        #expect(poll(approved).refusal == "400 expired_token")
    }

    @Test func `another client gets nothing for the code`() throws {
        let device = start()
        try decide(device, approves: true)
        #expect(poll(device, as: "web").refusal == "400 invalid_grant")
        #expect(poll(device).status == .ok)
    }

    @Test func `a device code that nobody knows, and none`() {
        #expect(poll(["device_code": "made-up"]).refusal == "400 invalid_grant")
        #expect(poll([:]).refusal == "400 invalid_request")
    }

    @Test(arguments: ["WDJB-MJHT", "wdjbmjht", " wdjb mjht ", "WDJB--MJ-HT"])
    func `what the user types is read without regard to case, spaces and dashes`(_ typed: String) {
        #expect(UserCode.normalized(typed) == "WDJBMJHT")
    }

    @Test func `every letter of a user code is as likely as the others`() {
        let all = (0...255).map(UInt8.init)
        let codes = stride(from: 0, to: 240, by: 8).compactMap {
            UserCode.make(from: Array(all[$0..<($0 + 8)]))
        }
        let counts = Dictionary(codes.joined().map { ($0, 1) }, uniquingKeysWith: +)
        #expect(counts.count == 20)
        #expect(Set(counts.values) == [12])
        #expect(UserCode.make(from: Array(all[240...])) == nil)
    }
}
