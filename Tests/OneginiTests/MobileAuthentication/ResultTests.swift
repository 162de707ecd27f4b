import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Onegini

/// What a portal is told. Source: Token Server documentation.
struct ResultTests {
    private func refused(_ number: String, _ error: String, _ description: String) -> [String: String] {
        ["error": error, "error_description": description, "error_code": number, "description": description]
    }

    // MARK: - Result

    @Test func `while nobody has answered there is no reason and no user, also after the fetch`() throws {
        let bench = try MobileBench()
        let (id, otp) = try bench.startedOTP()
        let expected: JSONValue = [
            "transaction_id": .string(id), "callback_uri": .string(MobileBench.callbackURI),
            "timestamp": 1_767_323_045_000, "is_authenticated": false,
        ]

        #expect(try bench.result(of: id).json(JSONValue.self) == expected)
        _ = try bench.fetch(otp)
        #expect(try bench.result(of: id).json(JSONValue.self) == expected)
        #expect(try bench.events.first == .pushAuthTransactionRetrieved)
    }

    @Test func `3004: a transaction that there is not`() throws {
        let bench = try MobileBench()

        let answer = bench.result(of: "cf51a27a-df80-42ad-bdd7-936c476b2c87")

        #expect(answer.status == .notFound)
        #expect(answer.fields == refused("3004", "not_found", "Invalid transaction id."))
        #expect(try bench.events.first == .pushAuthTransactionNotRetrieved)
    }

    @Test func `a result can be fetched for a day after its end, any number of times`() throws {
        let bench = try MobileBench()
        let id = try bench.finished("confirm")

        try bench.bench.clock.advance(seconds: 86_399)
        #expect(bench.result(of: id).fields["is_authenticated"] == "true")
        #expect(bench.result(of: id).fields["is_authenticated"] == "true")
        try bench.bench.clock.advance(seconds: 1)
        #expect(bench.result(of: id).status == .notFound)
    }

    // MARK: - SMS

    private func startedSMS(_ bench: MobileBench) throws -> (id: String, code: String) {
        let id = try #require(bench.start(MobileBench.smsForm).fields["transaction_id"])
        return (id, try #require(try bench.bench.messages.first?.message.code))
    }

    private func verify(_ bench: MobileBench, _ id: String, _ code: String, user: String = "ada") -> Response
    {
        bench.portal(
            "/v4/authenticate/user/\(user)/sms", [("transaction_id", id), ("sms_code", code)])
    }

    @Test func `the code that was sent authenticates, once`() throws {
        let bench = try MobileBench()
        let (id, code) = try startedSMS(bench)

        let answer = verify(bench, id, code)

        #expect(answer.status == .ok)
        #expect(answer.fields == ["transaction_id": id])
        #expect(bench.result(of: id).fields["is_authenticated"] == "true")
        #expect(bench.result(of: id).fields["authentication_method"] == "sms")
        #expect(verify(bench, id, code).fields["error_code"] == "3004")
    }

    @Test func `3003: wrong codes, the third of which ends the transaction`() throws {
        let bench = try MobileBench()
        let (id, code) = try startedSMS(bench)
        let wrong = code == "000000" ? "000001" : "000000"
        let expected = refused(
            "3003", "invalid_verification_code", "The verification code is wrong.")

        for _ in 1...3 {
            let answer = verify(bench, id, wrong)
            #expect(answer.status == .notFound)
            #expect(answer.fields == expected)
        }
        #expect(verify(bench, id, code).fields["error_code"] == "3004")
        #expect(
            try bench.result(of: id).json(JSONValue.self)["not_authenticated_reason"]?["reason"]
                == "invalid_request")
    }

    @Test func `0 attempts mean no limit`() throws {
        let bench = try MobileBench(
            #""types": [{"name": "sms", "method": "SMS", "max_attempts": 0}]"#)
        let (id, code) = try startedSMS(bench)
        for _ in 1...20 { #expect(verify(bench, id, "wrong").fields["error_code"] == "3003") }

        #expect(verify(bench, id, code).status == .ok)
    }

    @Test func `3004, 3005, 1003 and 3000: what else a code can meet`() throws {
        let bench = try MobileBench()
        let (id, code) = try startedSMS(bench)
        let (otp, _) = try bench.startedOTP()

        #expect(verify(bench, "gone", code).fields == refused("3004", "not_found", "Invalid transaction id."))
        #expect(verify(bench, otp, code).fields["error_code"] == "3004")
        let foreign = verify(bench, id, code, user: "grace")
        #expect(foreign.status == .notFound)
        #expect(foreign.fields == refused("3005", "not_found", "Invalid user id."))
        let bare = bench.portal("/v4/authenticate/user/ada/sms", [("transaction_id", id)])
        #expect(bare.fields["error_code"] == "1003")

        let without = try MobileBench(#""types": [{"name": "qr-code", "method": "OTP"}]"#)
        let none = verify(without, id, code)
        #expect(none.status == .notFound)
        #expect(none.fields == refused("3000", "not_found", "SMS is disabled."))
    }

    @Test func `3006: the same code is sent again as often as the type allows`() throws {
        let bench = try MobileBench(
            #""types": [{"name": "sms", "method": "SMS", "max_resends": 1}]"#)
        let (id, code) = try startedSMS(bench)

        let again = bench.portal("/v4/authenticate/user/ada/sms/resend", [("transaction_id", id)])
        #expect(again.status == .noContent)
        #expect(try bench.bench.messages.map(\.message.code) == [code, code])
        let refusal = bench.portal("/v4/authenticate/user/ada/sms/resend", [("transaction_id", id)])
        #expect(refusal.status == .forbidden)
        #expect(
            refusal.fields == refused("3006", "resend_limit_reached", "The resend limit is reached."))
        #expect(try bench.bench.messages.count == 2)
    }

    // MARK: - Availability

    private func enabled(_ bench: MobileBench, _ path: String) throws -> JSONValue? {
        let answer = bench.bench.get("/oauth/api" + path, headers: MobileBench.portal)
        #expect(answer.status == .ok)
        return try answer.json(JSONValue.self)["enabled"]
    }

    @Test func `how a user can be asked, and on which devices`() throws {
        let bench = try MobileBench()
        let ada = try #require(try enabled(bench, "/v4/authenticate/user/ada/enabled")?.array)

        #expect(ada.map { $0["type"] } == ["qr-code", "otp", "push", "push_with_pin", "sms"])
        #expect(ada[0] == ["type": "qr-code", "method": "OTP"])
        #expect(
            ada[2] == [
                "type": "push", "method": "PUSH", "sms_fallback_allowed": false,
                "apps_enrolled_for_push": [
                    [
                        "app_id": "app", "app_name": "The App", "device_id": .string(MobileBench.adaDevice),
                        "device_name": "Ada's phone", "platform": "android",
                    ]
                ],
            ])
        #expect(
            try enabled(bench, "/v4/authenticate/user/grace/enabled")?.array?.map { $0["type"] }
                == ["qr-code", "otp", "sms"])
        #expect(
            try enabled(bench, "/v4/authenticate/user/linus/enabled")?.array?.map { $0["type"] } == ["sms"])
        #expect(try enabled(bench, "/v4/authenticate/user/nobody/enabled") == [])
    }

    @Test func `what can be asked on one device`() throws {
        let bench = try MobileBench()
        let base = "/v4/authenticate/user"

        #expect(
            try enabled(bench, "\(base)/ada/device/\(MobileBench.adaDevice)/enabled")
                == ["qr-code", "otp", "push", "push_with_pin", "sms"])
        #expect(
            try enabled(bench, "\(base)/grace/device/\(MobileBench.graceDevice)/enabled")
                == ["qr-code", "otp", "sms"])
        #expect(try enabled(bench, "\(base)/ada/device/\(MobileBench.graceDevice)/enabled") == [])
        #expect(try enabled(bench, "\(base)/nobody/device/\(MobileBench.adaDevice)/enabled") == [])
    }

    // MARK: - Older versions

    @Test func `v3 names an application in the place of a device`() throws {
        let bench = try MobileBench()
        let form = MobileBench.pushForm().filter { $0.0 != "device_id" }

        #expect(bench.portal("/v3/authenticate/user", form).fields["error_code"] == "1003")
        let answer = bench.portal("/v3/authenticate/user", form + [("app_id", "app")])
        #expect(answer.fields["auth_method"] == "push")
        let other = bench.portal("/v3/authenticate/user", form + [("app_id", "other")])
        #expect(other.fields["error_code"] == "1001")
        #expect(
            try enabled(bench, "/v3/authenticate/user/ada/application/app/enabled")?.array?.contains("push")
                == true)
        #expect(try enabled(bench, "/v3/authenticate/user/ada/application/other/enabled") == [])
        let options = try #require(try enabled(bench, "/v3/authenticate/user/ada/enabled")?.array)
        #expect(options[2]["apps_enrolled_for_push"] == [["id": "app", "name": "The App"]])
    }

    @Test func `v2 names neither, starts OTP alike, and asks for one type`() throws {
        let bench = try MobileBench()
        let push = MobileBench.pushForm().filter { $0.0 != "device_id" }

        #expect(bench.portal("/v2/authenticate/user", push).fields["auth_method"] == "push")
        let started = bench.portal("/v2/authenticate/user", MobileBench.otpForm("otp"))
        #expect(started.fields["otp"] != nil)
        let id = try #require(started.fields["transaction_id"])
        let result = bench.bench.get(
            "/oauth/api/v2/authenticate/transaction/\(id)", headers: MobileBench.portal)
        #expect(result.fields["is_authenticated"] == "false")
        #expect(try enabled(bench, "/v2/authenticate/user/ada/enabled/push") == true)
        #expect(try enabled(bench, "/v2/authenticate/user/grace/enabled/push") == false)
        #expect(try enabled(bench, "/v2/authenticate/user/ada/enabled/telepathy") == false)
    }

    @Test(arguments: ["v2", "v3"])
    func `4001: with several devices of a user only v4 answers`(_ version: String) throws {
        let bench = try MobileBench(section: #""enrollment": {"push_mode": "multiple_devices"},"#)

        let answer = bench.portal("/\(version)/authenticate/user", MobileBench.otpForm())

        #expect(answer.status == .notFound)
        #expect(
            answer.fields
                == refused("4001", "not_found", "The configuration demands API version 4 or later."))
        #expect(bench.start(MobileBench.otpForm()).status == .ok)
    }
}
