import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

/// What 3.x has and what it has not.
struct CurrentProfileTests {
    @Test(arguments: [
        (Request.Method.get, "/.well-known/config"),
        (.post, "/user"), (.delete, "/user"), (.post, "/users"), (.get, "/users"), (.get, "/users/\(Ada.id)"),
        (.post, "/passcode/login/initialize"), (.post, "/passcode/login/finalize"),
        (.put, "/password"), (.post, "/password/login"),
        (.post, "/webauthn/registration/initialize"), (.post, "/webauthn/registration/finalize"),
        (.post, "/webauthn/login/initialize"), (.post, "/webauthn/login/finalize"),
        (.get, "/webauthn/credentials"), (.patch, "/webauthn/credentials/AQID"),
        (.delete, "/webauthn/credentials/AQID"),
        (.get, "/emails"), (.post, "/emails"), (.post, "/emails/\(Ada.emailID)/set_primary"),
        (.delete, "/emails/\(Ada.emailID)"),
        (.get, "/thirdparty/auth"), (.post, "/token"),
    ])
    func `what 3.x removed is 404, and the journal names the profile`(
        method: Request.Method, path: String
    ) throws {
        let bench = try TestBench.classic(section: "\"profile\": \"current\"")

        let response = bench.send(method, "/hanko" + path)
        #expect(response.status == .notFound)
        #expect(response.text == refusal(404, "Not Found"))
        #expect(bench.explanation?.contains("\"profile\": \"current\"") == true)
        #expect(bench.misshapenExplanations == [])
    }

    @Test(arguments: [
        ("/", Status.ok), ("/health/alive", .ok), ("/health/ready", .ok), ("/.well-known/jwks.json", .ok),
        ("/sessions/validate", .ok), ("/me", .unauthorized),
    ])
    func `what 3.x kept still answers`(path: String, status: Status) throws {
        let bench = try TestBench.classic(section: "\"profile\": \"current\"")

        #expect(bench.get("/hanko" + path).status == status)
    }

    @Test func `the page says which line answers`() throws {
        #expect(try TestBench.classic().get("/hanko/").text.contains("2.7"))
        let current = try TestBench.classic(section: "\"profile\": \"current\"")
        #expect(current.get("/hanko/").text.contains("3.x"))
    }
}
