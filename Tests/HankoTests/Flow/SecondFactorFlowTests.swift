import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

struct SecondFactorFlowTests {
    // Source: RFC 6238, Appendix B, SHA-1.
    @Test(arguments: [
        (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"),
        (1_234_567_890, "89005924"),
        (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
    ])
    func `codes are those of RFC 6238`(seconds: Int, code: String) {
        let key = Array("12345678901234567890".utf8)

        #expect(TOTP.code(key, step: seconds / 30, digits: 8) == code)
        #expect(TOTP.code(key, step: seconds / 30) == String(code.suffix(6)))
        #expect(Base32.decode(Linus.secret) == key)
    }

    @Test(arguments: [(-90.0, false), (-60, false), (-30, true), (0, true), (30, true), (60, false)])
    func `a code is good in the step before and after`(shift: Double, isGood: Bool) {
        let now = Date(timeIntervalSince1970: 1_234_567_890)
        let code = TOTP.code(
            Array("12345678901234567890".utf8), step: TOTP.step(at: now.addingTimeInterval(shift)))

        #expect((TOTP.fault(of: code, secret: Linus.secret, at: now) == nil) == isGood)
    }

    @Test func `the journal knows a clock that goes wrong`() throws {
        let now = Date(timeIntervalSince1970: 1_234_567_890)
        let code = TOTP.code(
            Array("12345678901234567890".utf8), step: TOTP.step(at: now.addingTimeInterval(-300)))

        let fault = try #require(TOTP.fault(of: code, secret: Linus.secret, at: now))
        #expect(fault.contains("300 s behind"))
        #expect(TOTP.fault(of: "abc", secret: Linus.secret, at: now)?.contains("“abc” is wrong") == true)
    }

    /// Linus, in `login_otp`.
    static func otpLogin(_ bench: TestBench<Hanko>, headers: Headers = [:]) throws -> FlowClient {
        var client = try bench.passwordLogin(Linus.address, headers: headers)
        try client.run("password_login", ["password": .string(Linus.password)])
        return client
    }

    @Test func `an authenticator app is asked for, and the device may be trusted afterwards`() throws {
        let bench = try TestBench.flows()
        var client = try Self.otpLogin(bench)
        #expect(client.state == "login_otp")
        #expect(client.actions == ["otp_code_validate"])
        #expect(
            client.inputs(of: "otp_code_validate")
                == ["otp_code": ["name": "otp_code", "type": "string", "required": true]])

        try client.run("otp_code_validate", ["otp_code": "000000"])
        #expect(client.status == 400)
        #expect(
            client.input("otp_code", of: "otp_code_validate")["error"]
                == ["code": "passcode_invalid", "message": "The passcode is invalid."])
        try client.run("otp_code_validate", ["otp_code": try bench.otp(Linus.secret)])
        #expect(client.state == "device_trust")
        #expect(client.actions == ["skip", "trust_device"])
        try client.run("trust_device")
        #expect(client.state == "success")
        #expect(client.payload["last_login"] == ["login_method": "password", "mfa_method": "totp"])
        #expect(client.payload["claims"]?["amr"] == ["pwd", "totp"])

        let cookie = try #require(
            client.response.headers.values(of: "Set-Cookie").first { $0.hasPrefix("hanko-device-token=") })
        #expect(
            cookie.wholeMatch(
                of:
                    /hanko-device-token=11450000-0000-4000-8000-000000000003:[0-9A-Za-z]{62}; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=None/
            ) != nil, "\(cookie)")
        let value = String(cookie.prefix { $0 != ";" })
        #expect(try Self.otpLogin(bench, headers: ["Cookie": value]).state == "success")
        let bare = "hanko-device-token=" + value.split(separator: ":")[1]
        #expect(try Self.otpLogin(bench, headers: ["Cookie": bare]).state == "success")
        let foreign = value.replacing(Linus.id, with: Ada.id)
        #expect(try Self.otpLogin(bench, headers: ["Cookie": foreign]).state == "login_otp")
        try bench.clock.advance(seconds: 2_592_000)
        #expect(try Self.otpLogin(bench, headers: ["Cookie": value]).state == "login_otp")
    }

    @Test func `the newest device comes first, and twenty are remembered`() {
        let old = (1...20).map { "u:t\($0)" }.joined(separator: "|")

        let cookie = DeviceTrustCookie(name: "hanko-device-token", limit: 20)
        let header = cookie.header(adding: "t0", of: "u", to: old + "|bad\r\nentry", maxAge: 60)
        let entries = header.dropFirst("hanko-device-token=".count).prefix { $0 != ";" }.split(separator: "|")
        #expect(entries.count == 20)
        #expect(entries.first == "u:t0")
        #expect(entries.last == "u:t19")
        #expect(!header.contains("\n"))
        #expect(cookie.tokens(of: "u", in: "u:a|v:b|c") == ["a", "c"])
    }

    @Test(arguments: [("always", "success", true), ("never", "success", false)])
    func `the policy trusts always, or never`(policy: String, state: String, isTrusted: Bool) throws {
        let bench = try TestBench.flows(config: #""mfa": {"device_trust_policy": "\#(policy)"}"#)
        var client = try Self.otpLogin(bench)
        try client.run("otp_code_validate", ["otp_code": try bench.otp(Linus.secret)])

        #expect(client.state == state)
        let cookies = client.response.headers.values(of: "Set-Cookie")
        #expect(cookies.contains { $0.hasPrefix("hanko-device-token=") } == isTrusted)
    }

    @Test func `OTP codes are tried three times a minute`() throws {
        let bench = try TestBench.flows()
        var client = try Self.otpLogin(bench)
        for _ in 1...3 { try client.run("otp_code_validate", ["otp_code": "000000"]) }

        try client.run("otp_code_validate", ["otp_code": try bench.otp(Linus.secret)])
        #expect(client.status == 429)
        #expect(client.state == "login_otp")
        #expect(client.payload == ["retry_after": 60])
    }

    @Test
    func `somebody who has a second factor is not asked to set one up, others are where login wants it`()
        throws
    {
        let bench = try TestBench.flows(config: #""mfa": {"acquire_on_login": true}"#)
        var client = try bench.passwordLogin(Ada.address)
        try client.run("password_login", ["password": .string(Linus.password)])
        #expect(client.state == "mfa_method_chooser")
        #expect(client.actions == ["continue_to_otp_secret_creation", "skip"])
        #expect(bench.events.contains { $0.explanation?.contains("webauthn_available false") == true })

        try client.run("continue_to_otp_secret_creation")
        let secret = try #require(client.payload["otp_secret"]?.string)
        try client.run("otp_code_verify", ["otp_code": try bench.otp(secret)])
        #expect(client.state == "success")
        #expect(client.payload["user"]?["mfa_config"]?["auth_app_set_up"] == true)
        #expect(client.payload["claims"]?["amr"] == ["pwd"])
        #expect(try Self.otpLogin(bench).state == "login_otp")
    }
}
