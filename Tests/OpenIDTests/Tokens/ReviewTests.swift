import Essentials
import HTTP
import PlatformKit
import SQLite
import Synchronization
import TestKit
import Testing

@testable import OpenID

/// Others who have a say before anything is issued: ``ServerExtension/review(_:)``.
struct ReviewTests {
    /// Answers as the test says, and remembers what it was asked.
    private struct Asked: ServerExtension {
        let tray: Tray
        let answer: @Sendable (IssueProposal) throws -> IssueChanges

        func review(_ proposal: IssueProposal) throws -> IssueChanges {
            tray.questions.withLock { $0.append(proposal) }
            return try answer(proposal)
        }

        func usageLimit(of scope: ScopeList, in _: Connection) -> Int { scope.contains("write") ? 2 : 0 }
    }

    private final class Tray: Sendable { let questions = Mutex<[IssueProposal]>([]) }

    private let tray = Tray()
    private let bench: TestBench<MountedServer>

    private static let denied = IssueRefusal.scopesDenied(
        page: nil, explanation: "The user has no subscription.")
    private static let down = IssueRefusal.unavailable(explanation: "The service is down.")
    private static let password = [
        ("grant_type", "password"), ("username", "alice"), ("password", "wonderland"),
    ]

    init() throws { bench = try TestBench.tokens() }

    private func asking<Value>(
        _ answer: @escaping @Sendable (IssueProposal) throws -> IssueChanges, _ body: () throws -> Value
    ) throws -> Value {
        try MountedServer.$policy.withValue(Asked(tray: tray, answer: answer), operation: body)
    }

    private var questions: [IssueProposal] { tray.questions.withLock { $0 } }

    private static func changes(
        remove: Set<String> = [], claims: [String: JSONValue] = [:]
    ) -> IssueChanges {
        var changes = IssueChanges()
        (changes.removedScopes, changes.claims) = (remove, claims)
        return changes
    }

    private func introspected(_ token: String?) throws -> JSONValue {
        try JSONValue(parsing: bench.ask("/introspect", [("token", token ?? "")], as: "gateway").bytes)
    }

    // MARK: What is taken away and given

    @Test func `scopes are taken away, claims are told by the introspection, and protocol claims are not`()
        throws
    {
        let answer = try asking({ _ in
            Self.changes(
                remove: ["read", "unheard"],
                claims: ["tier": "gold", "sub": "mallory", "client_id": "mallory"])
        }) { bench.ask("/token", Self.password + [("scope", "openid read email")]) }

        #expect(answer.fields["scope"] == "openid email")
        let told = try introspected(answer.fields["access_token"])
        #expect(told["tier"] == "gold" && told["scope"] == "openid email")
        #expect(told["sub"] == .string(TokenCast.alice) && told["client_id"] == "web")
        #expect(questions.map(\.scope.text) == ["openid read email"])
        #expect(questions.first?.grant.subject == TokenCast.alice)
    }

    @Test func `a JWT carries the claims, and its own are its own`() throws {
        let answer = try asking({ _ in
            Self.changes(claims: ["tier": ["gold", 3], "iss": "mallory", "scp": "all"])
        }) {
            bench.ask("/token", [("grant_type", "client_credentials"), ("scope", "read")], as: "machine")
        }
        let claims = try bench.verified(answer.fields["access_token"]).claims
        #expect(claims["tier"] == ["gold", 3])
        #expect(claims["iss"] == .string(bench.issuer) && claims["scp"] == ["read"])
        #expect(questions.map { $0.grant.subject } == [nil])
    }

    @Test func `a refresh token keeps its scope when an access token gets less`() throws {
        let first = try bench.loggedIn()
        let less = try asking({ _ in Self.changes(remove: ["read"], claims: ["tier": "gold"]) }) {
            bench.refresh(first["refresh_token"]).fields
        }
        #expect(less["scope"] == "openid profile email")
        #expect(try introspected(less["access_token"])["tier"] == "gold")
        #expect(questions.map(\.isRefresh) == [true])

        let again = try asking({ _ in IssueChanges() }) { bench.refresh(less["refresh_token"]).fields }
        #expect(again["scope"] == "openid profile email read")
        #expect(try introspected(again["access_token"])["tier"] == nil)
    }

    @Test func `nothing is issued when no scope is left`() throws {
        let answer = try asking({ Self.changes(remove: Set($0.scope.names)) }) {
            bench.ask("/token", Self.password + [("scope", "read")])
        }
        #expect(answer.refusal == "400 invalid_scope")
        #expect(
            bench.explanation?.contains(
                "All scopes that the client “web” would get, “read”, were removed") == true)
    }

    // MARK: Nothing is spent

    @Test(arguments: [(denied, "400 invalid_scope"), (down, "500 server_error")])
    private func `a refused refresh leaves the refresh token good`(_ error: IssueRefusal, _ refusal: String)
        throws
    {
        let token = try bench.loggedIn()["refresh_token"]
        let refused = try asking({ _ in throw error }) { bench.refresh(token) }
        #expect(refused.refusal == refusal)
        #expect(bench.explanation == error.explanation)
        #expect(bench.refresh(token).status == .ok)
    }

    @Test(arguments: [denied, down])
    private func `a refused exchange, password and client grant leave nothing behind`(_ error: IssueRefusal)
        throws
    {
        let subject = try bench.loggedIn()["access_token"] ?? ""
        func grants() throws -> Int {
            let server = bench.server
            return try bench.world.database.read { try server.grants.all(in: $0).count }
        }
        let before = try grants()
        try asking({ _ in throw error }) {
            let forms = [
                Self.password + [("scope", "read")],
                [("grant_type", "client_credentials"), ("scope", "read")],
                [
                    ("grant_type", GrantType.tokenExchange), ("subject_token", subject),
                    ("subject_token_type", TokenType.accessToken),
                ],
            ]
            for form in forms { #expect(bench.ask("/token", form).fields["error"] == error.wire.error) }
        }
        #expect(try grants() == before)
        #expect(questions.count == 3)
    }

    @Test func `who is refused anyway is not asked about`() throws {
        try asking({ _ in IssueChanges() }) {
            _ = bench.ask(
                "/token", [("grant_type", "password"), ("username", "alice"), ("password", "wrong")])
            _ = bench.refresh("unknown")
            _ = bench.redeem("unknown")
        }
        #expect(questions.isEmpty)
    }

    @Test func `a device code is asked about when it is approved, and no answer leaves it good`() throws {
        let device = bench.ask("/device_authorization", [("scope", "openid read")], as: "web").fields
        func poll() -> Response {
            bench.ask(
                "/token",
                [("grant_type", GrantType.deviceCode), ("device_code", device["device_code"] ?? "")])
        }
        #expect(try asking({ _ in throw Self.down }) { poll() }.refusal == "400 authorization_pending")
        #expect(questions.isEmpty)

        try bench.server.approveDevice(
            device["user_code"] ?? "", DeviceApproval(subject: TokenCast.alice), from: "127.0.0.1")
        #expect(try asking({ _ in throw Self.down }) { poll() }.refusal == "500 server_error")
        let answer = try asking({ _ in Self.changes(remove: ["read"], claims: ["tier": "gold"]) }) { poll() }
        #expect(answer.fields["scope"] == "openid")
        #expect(try introspected(answer.fields["access_token"])["tier"] == "gold")
        #expect(poll().refusal == "400 invalid_grant")
    }

    // Source: RFC 8628 §3.5.
    @Test func `a no to an approved device code is final, and nobody is asked again`() throws {
        let device = bench.ask("/device_authorization", [("scope", "openid read")], as: "web").fields
        func poll() throws -> Response {
            try asking({ _ in throw Self.denied }) {
                bench.ask(
                    "/token",
                    [("grant_type", GrantType.deviceCode), ("device_code", device["device_code"] ?? "")])
            }
        }
        try bench.server.approveDevice(
            device["user_code"] ?? "", DeviceApproval(subject: TokenCast.alice), from: "127.0.0.1")

        let first = try poll()
        #expect(first.refusal == "400 access_denied")
        #expect(bench.explanation?.hasPrefix("The user has no subscription. That is final") == true)
        #expect(try poll().refusal == "400 access_denied")
        #expect(bench.explanation?.contains("refused them; that is final") == true)
        #expect(questions.count == 1)
    }

    // MARK: Of one issue only

    @Test func `a ruling is good for the issue that was asked about alone`() throws {
        let server = bench.server
        let client = try #require(try bench.world.database.read { try server.clients.find("web", in: $0) })
        let grant = Grant(
            id: "g", clientID: "web", subject: "alice", scope: ScopeList("openid read"), issuer: "i",
            type: GrantType.password, createdAt: bench.clock.now)
        let ruling = IssueRuling(
            IssueProposal(client: client, grant: grant, Request(.post, "/")), Self.changes(remove: ["read"]))
        #expect(try ruling.applied(to: grant).scope.text == "openid")
        let others: [(inout Grant) -> Void] = [
            { $0.id = "h" }, { $0.subject = "bob" }, { $0.subject = nil }, { $0.clientID = "other" },
            { $0.scope = ScopeList("openid read write") }, { $0.scope = ScopeList("openid") },
        ]
        for change in others {
            var other = grant
            change(&other)
            let changed = other
            #expect(throws: IssueRefusal.outdated(clientID: "web")) { try ruling.applied(to: changed) }
        }
    }

    @Test func `what happens while others are asked is not overlooked`() throws {
        let token = try bench.loggedIn()["refresh_token"]
        let bench = bench
        let refused = try asking({ _ in
            // The same token is traded meanwhile, by somebody whom nobody is asked about.
            MountedServer.$policy.withValue(PlainExtension()) { #expect(bench.refresh(token).status == .ok) }
            return IssueChanges()
        }) { bench.refresh(token) }
        #expect(refused.refusal == "400 invalid_grant")
        #expect(bench.explanation?.contains("it came again") == true)
    }

    // MARK: Uses

    @Test func `a token whose uses are limited wears out`() throws {
        try asking({ _ in IssueChanges() }) {
            let token = bench.ask("/token", Self.password + [("scope", "openid write")]).fields[
                "access_token"]
            // One that may not see it uses nothing up.
            #expect(
                bench.ask("/introspect", [("token", token ?? "")], as: "other").fields == ["active": "false"])
            #expect(bench.userinfo(token).status == .ok)
            #expect(bench.isActive(token) && bench.isActive(token))
            #expect(!bench.isActive(token))
            #expect(bench.journal.contains { $0.event == "token worn out" })
            #expect(bench.userinfo(token).status == .unauthorized)
            #expect(bench.explanation?.contains("was used 2 times") == true)

            let free = bench.ask("/token", Self.password + [("scope", "openid read")]).fields["access_token"]
            for _ in 1...5 { #expect(bench.isActive(free)) }
        }
    }
}
