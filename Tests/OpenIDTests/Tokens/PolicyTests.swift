import Essentials
import HTTP
import PlatformKit
import SQLite
import Synchronization
import TestKit
import Testing

@testable import OpenID

/// Where a platform has its say: ``ServerExtension``.
struct PolicyTests {
    /// Counts wrong refresh tokens in the context of the grant that a request names, and refuses in its own way.
    private struct Counting: ServerExtension {
        struct Refused: OAuthRefusal {
            let count: String
            var wire: OAuthWire {
                OAuthWire(400, "invalid_grant", members: ["used_attempts": .string(count)])
            }
            var explanation: String { "Attempt \(count) failed." }
        }

        struct Forbidden: OAuthRefusal {
            var wire: OAuthWire { OAuthWire(400, "invalid_request", members: ["sdk_code": 10015]) }
            var explanation: String { "The profile is taken." }
        }

        let notes: Notes

        func accepts(_ grant: Grant, refreshedWith parameters: Form, by client: Client) -> Bool {
            parameters["profile"].map { "grant-" + $0 == grant.id } ?? true
        }

        func consequence(of failure: RefreshFailure, in db: Connection) throws -> RefreshConsequence? {
            notes.noteJudgement()
            guard let profile = failure.parameters["profile"] else { return nil }
            let grants = ServerRecords<Grant>(server: MountedServer.name)
            var grant = try grants.find("grant-" + profile, in: db)
            let count = (grant?.context ?? "") + "x"
            grant?.context = count
            let counted = grant
            return RefreshConsequence(Refused(count: count)) { db in
                if let counted { try db.update(counted) }
            }
        }

        func terms(of issue: TokenIssue, in db: Connection) throws -> IssueTerms {
            if issue.parameters["profile"] == "taken" { throw Forbidden() }
            return IssueTerms(
                members: ["profile_id": .string(issue.isRefresh ? "again" : "first")],
                context: issue.isRefresh ? nil : "",
                getsRefreshToken: issue.parameters["pin"].map { $0 == "on" })
        }

        func note(_ event: AuditEvent) { notes.add(event) }
        func note(_ event: AuditEvent, in _: Connection) { notes.add(event) }
    }

    private final class Notes: Sendable {
        private let events = Mutex<[AuditEvent]>([])
        private let judged = Mutex(0)
        /// How often a refused refresh was judged.
        var judgements: Int { judged.withLock { $0 } }
        func noteJudgement() { judged.withLock { $0 += 1 } }
        var kinds: [AuditEvent.Kind] { events.withLock { $0.map(\.kind) } }
        func add(_ event: AuditEvent) { events.withLock { $0.append(event) } }
    }

    private let notes = Notes()
    private let bench: TestBench<MountedServer>

    init() throws { bench = try TestBench.tokens() }

    private func counting(_ body: () throws -> Void) rethrows {
        try MountedServer.$policy.withValue(Counting(notes: notes), operation: body)
    }

    @Test func `terms add members to the answer, at the first tokens and at a refresh`() throws {
        try counting {
            let first = try bench.loggedIn()
            #expect(first["profile_id"] == "first")
            #expect(bench.refresh(first["refresh_token"]).fields["profile_id"] == "again")
        }
    }

    @Test func `terms decide about the refresh token`() throws {
        try counting {
            #expect(bench.redeem(try bench.logIn("off"), [("pin", "off")]).fields["refresh_token"] == nil)
            let poster = bench.redeem(try bench.logIn(client: "poster", "on"), as: "poster", [("pin", "on")])
            #expect(poster.fields["refresh_token"] != nil)
        }
    }

    @Test func `a refusal of the terms leaves the code unspent`() throws {
        try counting {
            let code = try bench.logIn()
            let refused = bench.redeem(code, [("profile", "taken")])
            #expect(refused.fields == ["error": "invalid_request", "sdk_code": "10015"])
            #expect(bench.redeem(code).status == .ok)
        }
    }

    @Test func `what a refused refresh writes down stays, and its error is the answer`() throws {
        try counting {
            let login = try bench.loggedIn("p1")
            for count in ["x", "xx", "xxx"] {
                let refused = bench.refresh("wrong", [("profile", "p1")])
                #expect(refused.fields == ["error": "invalid_grant", "used_attempts": count])
            }
            #expect(bench.refresh(login["refresh_token"], [("profile", "p1")]).status == .ok)
        }
    }

    @Test func `a refused refresh is judged once`() throws {
        try counting {
            _ = try bench.loggedIn("p1")
            #expect(bench.refresh("wrong", [("profile", "p1")]).fields["used_attempts"] == "x")
        }
        #expect(notes.judgements == 1)
    }

    @Test func `a token that is not accepted counts as one that is not known`() throws {
        try counting {
            let (one, _) = (try bench.loggedIn("p1"), try bench.loggedIn("p2"))
            let refused = bench.refresh(one["refresh_token"], [("profile", "p2")])
            #expect(refused.fields == ["error": "invalid_grant", "used_attempts": "x"])
            #expect(bench.refresh(one["refresh_token"], [("profile", "p1")]).status == .ok)
        }
    }

    @Test func `the audit hears what happened`() throws {
        try counting {
            let login = try bench.loggedIn("p1")
            _ = bench.refresh(login["refresh_token"])
            _ = bench.refresh("wrong", [("profile", "p1")])
            _ = bench.refresh("wrong")
            _ = bench.redeem("wrong")
            _ = bench.redeem(try bench.logIn("v"), [("code_verifier", TokenCast.verifier)])
            _ = bench.ask("/token", [("grant_type", "client_credentials"), ("scope", "admin")])
            _ = bench.isActive(login["access_token"])
            _ = bench.ask("/revoke", [("token", login["access_token"] ?? "")])
        }
        #expect(
            notes.kinds == [
                .accessTokenCreated, .accessTokenRefreshed, .refreshTokenInvalid, .refreshTokenInvalid,
                .grantInvalid, .verifierInvalid, .scopeInvalid, .tokenIntrospected, .accessTokenRevoked,
            ])
    }
}
