import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

struct NotEmulatedTests {
    @Test(arguments: [
        (Request.Method.get, "/hanko/saml/provider?domain=example.test", "SAML"),
        (.get, "/hanko/saml/metadata?domain=example.test", "SAML"),
        (.get, "/hanko/saml/auth?domain=example.test", "SAML"),
        (.post, "/hanko/saml/callback", "SAML"),
    ])
    func `what is missing says so by name`(method: Request.Method, path: String, feature: String) throws {
        let bench = try TestBench.classic()

        let response = bench.send(method, path)
        #expect(response.status == .notImplemented)
        #expect(response.text == refusal(501, "not emulated: \(feature)"))
        #expect(bench.explanation?.contains(feature) == true)
    }

    @Test(arguments: [
        ("/hanko/passcode/login/initialize", "mfa.enabled"),
        ("/hanko/passcode/login/finalize", "mfa.enabled"),
        ("/hanko/password/login", "mfa.enabled"),
    ])
    func `with MFA on, Hanko's own default, passcode and password endpoints do not exist`(
        path: String, reason: String
    ) throws {
        let bench = try TestBench(Hanko.self)

        let response = try bench.post(path, [String: String]())
        #expect(response.status == .notFound)
        #expect(response.text == refusal(404, "Not Found"))
        #expect(bench.explanation?.contains(reason) == true)
    }

    @Test(arguments: ["\"email\": {\"enabled\": false}", "\"email\": {\"use_for_authentication\": false}"])
    func `without mail for authentication there are no passcodes`(config: String) throws {
        let bench = try TestBench.classic(config: config)

        let response = try bench.post("/hanko/passcode/login/initialize", ["user_id": Ada.id])
        #expect(response.status == .notFound)
        #expect(bench.explanation?.contains("use_for_authentication") == true)
    }

    @Test func `without passkeys there are no WebAuthn endpoints`() throws {
        let bench = try TestBench.classic(config: "\"passkey\": {\"enabled\": false}")

        let response = bench.get("/hanko/webauthn/credentials")
        #expect(response.status == .notFound)
        #expect(response.text == refusal(404, "Not Found"))
        #expect(bench.explanation?.contains("passkey.enabled") == true)
    }

    @Test func `without passwords there are no password endpoints`() throws {
        let bench = try TestBench.classic(config: "\"password\": {\"enabled\": false}")

        for (method, path) in [(Request.Method.put, "/hanko/password"), (.post, "/hanko/password/login")] {
            let response = bench.send(method, path)
            #expect(response.status == .notFound)
            #expect(response.text == refusal(404, "Not Found"))
            #expect(bench.explanation?.contains("password.enabled") == true)
        }
    }
}
