import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

struct ProfileSecondFactorTests {
    private static let required = #""mfa": {"optional": false}"#
    private static let last = "it is the last second factor, and mfa.optional is false"

    @Test func `an authenticator app is set up, taken away and set up again`() throws {
        let bench = try TestBench.profile()
        var client = try bench.profileFlow()
        var secrets: [String] = []

        for _ in 1...2 {
            try client.run("continue_to_otp_secret_creation")
            #expect(client.state == "mfa_otp_secret_creation")
            let secret = try #require(client.payload["otp_secret"]?.string)
            secrets.append(secret)
            let code = TOTP.code(try #require(Base32.decode(secret)), step: TOTP.step(at: bench.clock.now))
            try client.run("otp_code_verify", ["otp_code": .string(bench.wrong(code))])
            #expect(client.state == "mfa_otp_secret_creation")
            #expect(client.inputError("otp_code", of: "otp_code_verify") == "passcode_invalid")
            #expect(client.payload["otp_secret"]?.string == secret)

            try client.run("otp_code_verify", ["otp_code": .string(code)])
            client.expectProfile()
            #expect(try bench.requireAda().otpSecret?.secret == secret)
            #expect(client.payload["user"]?["mfa_config"]?["auth_app_set_up"] == true)
            #expect(
                bench.suspends(
                    "continue_to_otp_secret_creation", because: "the user has an authenticator app already"))
            #expect(client.inputs(of: "otp_secret_delete") == [:])

            try client.run("otp_secret_delete")
            client.expectProfile()
            #expect(try bench.requireAda().otpSecret == nil)
            #expect(client.payload["user"]?["mfa_config"]?["auth_app_set_up"] == false)
            #expect(bench.suspends("otp_secret_delete", because: "the user has no authenticator app"))
        }
        #expect(Set(secrets).count == 2)
    }

    @Test func `back from the secret leads to the profile`() throws {
        let bench = try TestBench.profile()
        var client = try bench.profileFlow()

        try client.run("continue_to_otp_secret_creation")
        #expect(client.actions == ["back", "otp_code_verify"])
        try client.run("back")
        client.expectProfile()
        #expect(try bench.requireAda().otpSecret == nil)
    }

    @Test(arguments: [#""mfa": {"enabled": false}"#, #""mfa": {"totp": {"enabled": false}}"#])
    func `authenticator apps that are disabled are not set up`(config: String) throws {
        let bench = try TestBench.profile(config: config)

        let client = try bench.profileFlow()
        #expect(!client.actions.contains("continue_to_otp_secret_creation"))
        #expect(
            bench.suspends(
                "continue_to_otp_secret_creation", because: "mfa.enabled or mfa.totp.enabled is false"))
    }

    @Test func `a required authenticator app stays when it is all there is`() throws {
        let bench = try TestBench.profile(config: Self.required, ada: AdaHas.email, AdaHas.otp)
        var client = try bench.profileFlow()
        #expect(bench.suspends("otp_secret_delete", because: Self.last))

        try client.force("otp_secret_delete")
        #expect(client.error == "operation_not_permitted_error")
        #expect(try bench.requireAda().otpSecret != nil)
    }

    @Test func `a required security key stays when it is all there is`() throws {
        let bench = try TestBench.profile(
            config: Self.required, ada: AdaHas.email, AdaHas.credentials(securityKeys: 1))

        let client = try bench.profileFlow()
        #expect(!client.actions.contains("security_key_delete"))
        #expect(bench.suspends("security_key_delete", because: Self.last))
    }

    @Test func `of two required second factors either may go, and then the other stays`() throws {
        let bench = try TestBench.profile(
            config: Self.required, ada: AdaHas.email, AdaHas.otp, AdaHas.credentials(securityKeys: 1))
        var client = try bench.profileFlow()
        #expect(client.actions.contains("security_key_delete"))

        try client.run("otp_secret_delete")
        client.expectProfile()
        #expect(bench.suspends("security_key_delete", because: Self.last))
    }
}
