import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

struct PasscodeFlowTests {
    static let config =
        #""mfa": {"enabled": false}, "password": {"enabled": false}, "passkey": {"enabled": false}"#

    static func started(
        _ address: String = Ada.address, config: String = "", headers: Headers = [:], seed: UInt64 = 1
    ) throws -> (TestBench<Hanko>, FlowClient) {
        let bench = try TestBench.flows(config: Self.config + "," + config, seed: seed)
        var client = try bench.flow("/login", headers: headers)
        try client.run("continue_with_login_identifier", ["email": .string(address)])
        #expect(client.state == "passcode_confirmation")
        return (bench, client)
    }

    @Test func `two wrong codes are invalid, the third and whatever follows is too much`() throws {
        var (bench, client) = try Self.started()
        let code = try client.code()

        for _ in 1...2 {
            try client.run("verify_passcode", ["code": .string(bench.wrong(code))])
            #expect(client.status == 400)
            #expect(client.inputError("code", of: "verify_passcode") == "passcode_invalid")
        }
        for text in [bench.wrong(code), code] {
            try client.run("verify_passcode", ["code": .string(text)])
            #expect(client.status == 401)
            #expect(client.state == "passcode_confirmation")
            #expect(
                client.body["error"] == [
                    "code": "passcode_max_attempts_reached",
                    "message": "The passcode was entered wrong too many times.",
                ])
            #expect(client.inputError("code", of: "verify_passcode") == nil)
        }
        #expect(try bench.messages.count == 1)

        try client.run("resend_passcode")
        try client.run("verify_passcode", ["code": .string(try client.code())])
        #expect(client.state == "success")
    }

    @Test(arguments: [nil, "" as JSON, 123456] as [JSON?])
    func `a code is required, as text`(code: JSON?) throws {
        var (_, client) = try Self.started()

        try client.run("verify_passcode", code.map { ["code": $0] })
        #expect(client.status == 400)
        #expect(client.error == "form_data_invalid_error")
        #expect(
            client.input("code", of: "verify_passcode")["error"]
                == ["code": "value_missing_error", "message": "The value is missing."])
    }

    @Test func `a code expires with its time, and entering the state again mails another`() throws {
        var (bench, client) = try Self.started()
        let code = try client.code()

        try bench.clock.advance(seconds: 301.06)
        try client.run("verify_passcode", ["code": .string(code)])
        #expect(client.status == 400)
        #expect(client.inputError("code", of: "verify_passcode") == "passcode_invalid")
        #expect(bench.explanation?.contains("expired 1 s ago") == true)
        #expect(try bench.messages.count == 1)

        try bench.clock.advance(seconds: -1.06)
        try client.run("verify_passcode", ["code": .string(code)])
        #expect(client.state == "success")
    }

    @Test func `one resend uses two tokens, so the second one is too much`() throws {
        var (bench, client) = try Self.started()
        let first = try client.code()

        try client.run("resend_passcode")
        #expect(client.status == 200)
        #expect(client.payload == [:])
        #expect(try bench.messages.count == 2)
        let second = try client.code()
        try client.run("resend_passcode")
        #expect(client.status == 429)
        #expect(client.state == "passcode_confirmation")
        #expect(
            client.body["error"] == [
                "code": "rate_limit_exceeded", "message": "The rate limit has been exceeded.",
            ])
        #expect(client.payload == ["resend_after": 60])
        #expect(client.response.headers["X-RateLimit-Limit"] == nil)
        #expect(try bench.messages.count == 2)

        try client.run("verify_passcode", ["code": .string(first)])
        #expect(client.status == 400)
        try client.run("verify_passcode", ["code": .string(second)])
        #expect(client.state == "success")
    }

    @Test func `the wait shrinks with the clock, and the bucket is the address's and the client's`() throws {
        var (bench, client) = try Self.started()
        try client.run("resend_passcode")
        try bench.clock.advance(seconds: 18.5)

        try client.run("resend_passcode")
        #expect(client.payload == ["resend_after": 41])
        var other = try bench.flow("/login")
        try other.run("continue_with_login_identifier", ["email": .string(Grace.address)])
        #expect(other.status == 200)
        try bench.clock.advance(seconds: 41.5)
        try client.run("resend_passcode")
        #expect(client.status == 200)
    }

    @Test func `without a token the state is entered all the same, with the error and without a mail`() throws
    {
        let (bench, _) = try Self.started(config: #""rate_limiter": {"passcode_limits": {"tokens": 1}}"#)

        var client = try bench.flow("/login")
        try client.run("continue_with_login_identifier", ["email": .string(Ada.address)])
        #expect(client.state == "passcode_confirmation")
        #expect(client.status == 429)
        #expect(client.payload == ["resend_after": 60])
        #expect(client.actions == ["back", "resend_passcode", "verify_passcode"])
        #expect(try bench.messages.count == 1)
    }

    @Test func `with limits off codes are mailed without end`() throws {
        var (bench, client) = try Self.started(config: #""rate_limiter": {"enabled": false}"#)

        for _ in 1...10 {
            try client.run("resend_passcode")
            #expect(client.status == 200)
        }
        #expect(try bench.messages.count == 11)
    }

    @Test func `going back and forth mails nothing new for the same address`() throws {
        var (bench, client) = try Self.started()
        let code = try client.code()

        try client.run("back")
        #expect(client.state == "login_init")
        try client.run("continue_with_login_identifier", ["email": .string(Ada.address)])
        #expect(try bench.messages.count == 1)
        #expect(bench.events.contains { $0.event == "passcode kept" })
        try client.run("back")
        try client.run("continue_with_login_identifier", ["email": .string(Grace.address)])
        #expect(try bench.messages.count == 2)
        try client.run("verify_passcode", ["code": .string(code)])
        #expect(client.status == 400)
        try client.run("verify_passcode", ["code": .string(try client.code())])
        #expect(client.payload["user"]?["id"]?.string == Grace.id)
    }

    @Test func `nobody is told that an address is unknown, and no code helps`() throws {
        var (bench, client) = try Self.started("nobody@example.com")
        let mail = try #require(try bench.messages.first?.message)
        #expect(mail.subject == "Provided email address is not recognized")
        #expect(mail.to.address == "nobody@example.com")
        #expect(mail.code == nil)
        #expect(client.payload == [:])
        #expect(client.body["error"] == nil)
        #expect(bench.journal.contains { $0.explanation?.contains("no code will ever succeed") == true })

        // The same seed draws the same code in a world where the mail carries it.
        let (_, twin) = try Self.started(Ada.address)
        let code = try twin.code()
        try client.run("verify_passcode", ["code": .string(bench.wrong(code))])
        #expect(client.status == 400)
        try client.run("verify_passcode", ["code": .string(code)])
        #expect(client.status == 403)
        #expect(client.state == "passcode_confirmation")
        #expect(
            client.body["error"] == [
                "code": "operation_not_permitted_error", "message": "The operation is not permitted.",
            ])
        #expect(bench.explanation?.contains("email_login_attempted") == true)
    }

    @Test func `existence hints tell that an address is unknown`() throws {
        let bench = try TestBench.flows(config: #""privacy": {"show_account_existence_hints": true}"#)
        var client = try bench.flow("/login")

        try client.run("continue_with_login_identifier", ["email": "nobody@example.com"])
        #expect(client.state == "login_init")
        #expect(client.status == 400)
        #expect(
            client.input("email", of: "continue_with_login_identifier")["error"]
                == ["code": "unknown_email_error", "message": "The email address is unknown."])
    }

    @Test func `an address that was not confirmed yet is afterwards`() throws {
        let bench = try TestBench<Hanko>(
            Hanko.self,
            fixtures: """
                {"hanko": {"config": {\(Self.config)}, "users": [
                    {"id": "\(Ada.id)", "emails": [{"address": "\(Ada.address)", "is_verified": false}]}
                ]}}
                """)
        var client = try bench.flow("/login")
        try client.run("continue_with_login_identifier", ["email": .string(Ada.address)])
        try client.run("verify_passcode", ["code": .string(try client.code())])

        #expect(client.payload["user"]?["emails"]?.array?.first?["is_verified"] == true)
        #expect(bench.events.contains { $0.event == "address verified" })
    }

    @Test func `a code may have letters, and their case counts`() throws {
        var (_, client) = try Self.started(config: #""email": {"passcode_charset": "alphanumeric"}"#)
        let code = try client.code()
        #expect(code.wholeMatch(of: /[23456789A-HJ-NP-Za-km-z]{6}/) != nil)

        try client.run(
            "verify_passcode",
            ["code": .string(code.uppercased() == code ? code.lowercased() : code.uppercased())])
        #expect(client.status == 400)
        try client.run("verify_passcode", ["code": .string(code)])
        #expect(client.state == "success")
    }

    @Test(arguments: [
        ("de", "Verwenden Sie den Passcode"), ("pt-BR", "Use o código de acesso"),
        ("undefined", "Use passcode"),
        ("en", "Use passcode"),
        ("bn", "Use passcode"),
    ])
    func `mails speak the language of the client`(language: String, beginning: String) throws {
        let (bench, client) = try Self.started(headers: ["X-Language": language])

        let mail = try #require(try bench.messages.first?.message)
        #expect(mail.subject.hasPrefix(beginning))
        let code = try client.code()
        #expect(mail.subject.contains(code) && mail.text.contains("\n\n\(code)\n\n"))
    }

    @Test(arguments: [
        (FlowPasscode.Purpose.login, "Use passcode 123456 to login to your account"),
        (.emailVerification, "Use passcode 123456 to verify your email address"),
        (.recovery, "Use passcode 123456 to recover your account"),
        (.emailLoginAttempted, "Provided email address is not recognized"),
        (.emailRegistrationAttempted, "Provided email address already taken"),
    ])
    func `each purpose has its subject, and a notice never says the code`(
        purpose: FlowPasscode.Purpose, subject: String
    ) throws {
        for language in MailLanguage.allCases {
            let mail = try PasscodeMail(
                purpose, code: "123456", serviceName: "A & B", ttl: 300,
                expiresAt: .init(timeIntervalSince1970: 300), address: Ada.address, language: language
            ).outgoing().message
            if language == .english { #expect(mail.subject == subject) }
            #expect(mail.subject.contains("123456") == purpose.carriesCode)
            #expect(mail.text.contains("123456") == purpose.carriesCode)
            #expect(mail.html?.contains("123456") == purpose.carriesCode)
            #expect(mail.text.contains("A & B"))
            #expect(mail.html?.contains("A &amp; B") == true)
            #expect((mail.code == "123456") == purpose.carriesCode)
        }
    }

    @Test func `a code that went to one address is good for no other, also where no mail could go`() throws {
        let bench = try TestBench.flows(config: Self.config)
        for _ in 1...3 {
            var client = try bench.flow("/login")
            try client.run("continue_with_login_identifier", ["email": .string(Ada.address)])
        }
        var client = try bench.flow("/login")
        try client.run("continue_with_login_identifier", ["email": .string(Grace.address)])
        let code = try client.code()
        try client.run("back")
        try client.run("continue_with_login_identifier", ["email": .string(Ada.address)])
        #expect(client.status == 429)
        #expect(client.state == "passcode_confirmation")

        try client.run("verify_passcode", ["code": .string(code)])
        #expect(client.status == 400)
        #expect(client.inputError("code", of: "verify_passcode") == "passcode_invalid")
        #expect(bench.explanation?.contains("went to \(Grace.address)") == true)

        try client.run("back")
        try client.run("continue_with_login_identifier", ["email": .string(Grace.address)])
        try client.run("verify_passcode", ["code": .string(code)])
        #expect(client.state == "success")
        #expect(client.payload["user"]?["user_id"] == .string(Grace.id))
    }
}
