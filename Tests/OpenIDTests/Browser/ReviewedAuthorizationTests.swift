import Essentials
import HTTP
import Synchronization
import TestKit
import Testing

@testable import OpenID

/// Others who have a say before a code is made. Source of the errors: RFC 6749 §4.1.2.1.
struct ReviewedAuthorizationTests {
    private struct Asked: ServerExtension {
        let count = Counter()
        let answer: @Sendable () throws -> IssueChanges

        func review(_: IssueProposal) throws -> IssueChanges {
            count.value.withLock { $0 += 1 }
            return try answer()
        }
    }

    private final class Counter: Sendable { let value = Mutex(0) }

    private let bench: TestBench<MountedServer>
    private let browser: Browser

    init() throws {
        bench = try Cast.bench()
        browser = Browser(bench)
    }

    private func asking(
        _ answer: @escaping @Sendable () throws -> IssueChanges, _ body: () throws -> Void
    ) throws -> Int {
        let asked = Asked(answer: answer)
        try MountedServer.$policy.withValue(asked, operation: body)
        return asked.count.value.withLock { $0 }
    }

    private static func denied(_ page: String?) -> IssueRefusal {
        .scopesDenied(page: page, explanation: "The user has no subscription.")
    }

    @Test
    func `what is left of the scope and the claims come with the code, for which nobody is asked again`()
        throws
    {
        let count = try asking({
            var changes = IssueChanges()
            (changes.removedScopes, changes.claims) = (["email"], ["tier": "gold"])
            return changes
        }) {
            let code = browser.authorize(["scope": "openid email profile"]).answer["code"]
            let tokens = try bench.redeem(code)
            #expect(tokens["scope"] == "openid profile")
            #expect(try bench.userinfo(tokens)["email"] == nil)
            let server = bench.server
            let token = try #require(try server.accessToken(tokens["access_token"]?.string ?? ""))
            #expect(token.claims == ["tier": "gold"])
        }
        #expect(count == 1)
    }

    @Test func `the client hears of a refusal, and of a service that fails`() throws {
        let denied = try asking({ throw Self.denied(nil) }) {
            let answer = browser.authorize().answer
            #expect(answer["error"] == "access_denied" && answer["state"] == "xyz" && answer["code"] == nil)
            #expect(bench.explanation == "The user has no subscription.")
        }
        #expect(denied == 1)
        _ = try asking({ throw IssueRefusal.unavailable(explanation: "The service is down.") }) {
            #expect(browser.authorize().answer["error"] == "server_error")
        }
    }

    @Test func `a browser is sent to the page for it, but not when the client asked for silence`() throws {
        let page = "https://upgrade.example/offer"
        _ = try asking({ throw Self.denied(page) }) {
            let visit = browser.authorize()
            #expect(visit.url == page)
            let silent = browser.open(Cast.request(["prompt": "none"]))
            #expect(silent.answer["error"] == "access_denied")
        }
    }

    @Test(arguments: ["id_token", "id_token token"])
    func `without openid there is no ID token`(_ type: String) throws {
        _ = try asking({
            var changes = IssueChanges()
            changes.removedScopes = ["openid"]
            return changes
        }) {
            let back = browser.authorize([
                "client_id": "page", "response_type": type, "scope": "openid email",
            ])
            #expect(back.fragment["error"] == "invalid_scope" && back.fragment["access_token"] == nil)
        }
    }
}
