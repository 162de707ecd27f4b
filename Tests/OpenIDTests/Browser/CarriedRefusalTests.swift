import Essentials
import HTTP
import OpenID
import PlatformKit
import TestKit
import Testing

/// Errors that a browser carries to the client: the status says nothing of them. Sources: RFC 6749 §4.1.2.1, §4.2.2.1;
/// OAuth 2.0 Form Post Response Mode §2; OpenID Connect Core 1.0 §3.1.2.6.
struct CarriedRefusalTests {
    let bench: TestBench<MountedServer>
    let browser: Browser

    init() throws {
        bench = try Cast.bench()
        browser = Browser(bench)
    }

    private var refusals: [JournalEntry] {
        var query = JournalQuery()
        query.isRefused = true
        return bench.world.journal.entries(query)
    }

    private var others: [JournalEntry] {
        var query = JournalQuery()
        query.isRefused = false
        return bench.world.journal.entries(query)
    }

    @Test(arguments: ["query", "fragment", "form_post"])
    func `an error that goes to the client is a refusal, however it travels`(_ mode: String) {
        let visit = browser.open(Cast.request(["response_mode": mode, "scope": "openid wishes"]))
        #expect(visit.status == (mode == "form_post" ? 200 : 303))
        #expect(refusals.count == 1 && others.isEmpty)
        #expect(refusals.first?.explanation?.contains("wishes") == true)
    }

    @Test func `a person who says no is a refusal`() throws {
        let login = browser.open(Cast.request())
        let form = try #require(login.forms.last)
        _ = browser.submit(form, pressing: ("decision", "cancel"))
        #expect(refusals.map { $0.exchange?.method } == ["POST"])
    }

    // A client that renews silently asks so in order to find out.
    @Test(arguments: ["query", "form_post"])
    func `what answers prompt=none is none`(_ mode: String) {
        let visit = browser.open(Cast.request(["prompt": "none", "response_mode": mode]))
        #expect(mode == "form_post" || visit.answer["error"] == "login_required")
        #expect(refusals.isEmpty && others.count == 1)
    }

    @Test func `a login that succeeds is none`() {
        _ = browser.authorize()
        #expect(refusals.isEmpty && !others.isEmpty)
    }
}
