import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Onegini

/// The start of a transaction, and its refusals in their order. Source: Token Server documentation.
struct StartTests {
    private static let caching = "no-cache, no-store, must-revalidate"

    private func refused(_ number: String, _ error: String, _ description: String) -> [String: String] {
        ["error": error, "error_description": description, "error_code": number, "description": description]
    }

    private func without(_ name: String, _ form: [(String, String)]) -> [(String, String)] {
        form.filter { $0.0 != name }
    }

    private func with(_ name: String, _ value: String, _ form: [(String, String)]) -> [(String, String)] {
        without(name, form) + [(name, value)]
    }

    @Test func `an OTP transaction starts without a user and brings the OTP object`() throws {
        let bench = try MobileBench()

        let answer = bench.start(MobileBench.otpForm())

        #expect(answer.status == .ok)
        #expect(answer.headers["Content-Type"] == "application/json;charset=UTF-8")
        #expect(answer.headers["Cache-Control"] == Self.caching)
        #expect(answer.headers["Pragma"] == "no-cache")
        let fields = answer.fields
        #expect(Set(fields.keys) == ["transaction_id", "auth_method", "time_to_live", "otp"])
        #expect(fields["auth_method"] == "otp")
        #expect(fields["time_to_live"] == "300000")
        let object = try OTPObject(reading: fields["otp"] ?? "")
        #expect(object.transactionID == fields["transaction_id"])
        #expect(object.code.wholeMatch(of: /[0-9A-F]{64}/) != nil)
        #expect(try bench.events.first == .otpAuthInitialized)
    }

    @Test func `a push goes to the device that is named, through the outbox`() throws {
        let bench = try MobileBench()

        let answer = bench.start(MobileBench.pushForm() + [("secure_message", "Account 42")])

        let body = try answer.json(JSONValue.self)
        #expect(body["auth_method"] == "push")
        #expect(body["device"] == ["name": "Ada's phone", "platform": "android"])
        #expect(body["otp"] == nil)
        let message = try #require(try bench.bench.messages.first).message
        #expect(message.channel == .push)
        #expect(message.kind == "push")
        #expect(message.to.address == "push-of-ada")
        let content = try JSONValue(parsing: Array(message.text.utf8))
        #expect(content["og_transaction_id"] == body["transaction_id"])
        #expect(content["og_profile_id"] == "ADA001")
        #expect(!message.text.contains("Account 42"))
    }

    @Test func `a code goes to the phone number, in the place of {code}`() throws {
        let bench = try MobileBench()

        let answer = bench.start(MobileBench.smsForm)

        #expect(answer.fields["auth_method"] == "sms")
        #expect(answer.fields["otp"] == nil)
        let message = try #require(try bench.bench.messages.first).message
        let code = try #require(message.code)
        #expect(code.wholeMatch(of: /[0-9]{6}/) != nil)
        #expect(message.text == "Code \(code)!")
        #expect((message.channel, message.kind) == (.sms, "sms"))
        #expect(message.to.address == "+31612345678")
    }

    @Test func `a message without {code} is not sent, the code alone is`() throws {
        let bench = try MobileBench()
        _ = bench.start(with("message", "Hello", MobileBench.smsForm))

        let message = try #require(try bench.bench.messages.first).message
        #expect(message.text == message.code)
    }

    @Test func `1000: mobile authentication is off, which is said before the client is looked at`() throws {
        let bench = try MobileBench("\"enabled\": false")

        let answer = bench.portal("/v4/authenticate/user", MobileBench.otpForm(), headers: [:])

        #expect(answer.status == .notFound)
        #expect(answer.fields == refused("1000", "not_found", "Mobile authentication is disabled."))
    }

    @Test func `401: a client that is not known, before any parameter is looked at`() throws {
        let bench = try MobileBench()
        let wrong = ["Authorization": "Basic " + MobileBench.base64("portal:wrong")] as Headers

        let answer = bench.portal("/v4/authenticate/user", [], headers: wrong)

        #expect(answer.status == .unauthorized)
        #expect(answer.fields["error"] == "invalid_client")
        #expect(answer.fields["error_code"] == nil)
        #expect(answer.headers["Cache-Control"] == Self.caching)
        #expect(answer.headers["WWW-Authenticate"]?.hasPrefix("Basic") == true)
    }

    @Test func `403: a client without the scope of this API`() throws {
        let bench = try MobileBench()
        let reader = ["Authorization": "Basic " + MobileBench.base64("reader:reader-secret")] as Headers

        let answer = bench.portal("/v4/authenticate/user", [], headers: reader)

        #expect(answer.status == .forbidden)
        #expect(answer.fields["error"] == "insufficient_scope")
    }

    @Test(arguments: ["type", "callback_uri"])
    func `1003: OTP lacks a parameter`(_ name: String) throws {
        let bench = try MobileBench()
        expectInvalid(bench, without(name, MobileBench.otpForm()), naming: name)
    }

    @Test(arguments: ["user_id", "device_id", "callback_uri"])
    func `1003: push lacks a parameter`(_ name: String) throws {
        let bench = try MobileBench()
        expectInvalid(bench, without(name, MobileBench.pushForm()), naming: name)
    }

    @Test func `1003: SMS lacks the user`() throws {
        expectInvalid(try MobileBench(), without("user_id", MobileBench.smsForm), naming: "user_id")
    }

    @Test func `1003: OTP with a user`() throws {
        let bench = try MobileBench()
        expectInvalid(bench, MobileBench.otpForm() + [("user_id", "ada")], naming: "user_id")
        #expect(try bench.events.first == .otpAuthInitFailure)
    }

    @Test func `1003: no message, where the type has none`() throws {
        let bench = try MobileBench(#""types": [{"name": "qr-code", "method": "OTP"}]"#)
        expectInvalid(bench, without("message", MobileBench.otpForm()), naming: "message")
    }

    @Test(arguments: ["/callback", "myapp://callback", "portal.example/callback", "http://", "http://a b/"])
    func `1003: a callback URI that cannot be called`(_ uri: String) throws {
        expectInvalid(
            try MobileBench(), with("callback_uri", uri, MobileBench.otpForm()), naming: "callback_uri")
    }

    @Test func `1003: a callback URI that is not on the allow list, which is compared exactly`() throws {
        let bench = try MobileBench(
            """
            "callback_allow_list": true, "callback_retries": 0,
            "callbacks": [{"url": "\(MobileBench.callbackURI)"}]
            """)

        #expect(bench.start(MobileBench.otpForm()).status == .ok)
        let near = with("callback_uri", MobileBench.callbackURI + "/", MobileBench.otpForm())
        expectInvalid(bench, near, naming: "callback_uri")
        #expect(
            bench.bench.explanation?.contains("It has one slash too many at the end. Listed are:") == true)
    }

    @Test(arguments: ["12", "call me", "+31 6123 45678 90 12 34 56"])
    func `1003: a phone number that is none`(_ number: String) throws {
        expectInvalid(
            try MobileBench(), with("phone_number", number, MobileBench.smsForm), naming: "phone_number")
    }

    private func expectInvalid(_ bench: MobileBench, _ form: [(String, String)], naming name: String) {
        let answer = bench.start(form)
        #expect(answer.status == .badRequest)
        #expect(answer.fields == refused("1003", "invalid_request", "A parameter is invalid or missing."))
        #expect(bench.bench.explanation?.contains(name) == true)
    }

    @Test func `a secure message may be as long as the body of a request`() throws {
        let bench = try MobileBench()
        let long = String(repeating: "s", count: 4_000_000)
        let (_, otp) = try bench.startedOTP([("secure_message", long)])
        let fetched = try bench.fetch(otp)
        #expect(fetched.status == .ok && (fetched.fields["message"]?.utf8.count ?? 0) > 4_000_000)
    }

    @Test func `1003: a secure message that fits into no message to a device`() throws {
        let bench = try MobileBench()
        let long = String(repeating: "s", count: 6_300_000)
        expectInvalid(bench, MobileBench.otpForm() + [("secure_message", long)], naming: "secure_message")
    }

    @Test func `3001: SMS without a phone number`() throws {
        let answer = try MobileBench().start(without("phone_number", MobileBench.smsForm))

        #expect(answer.status == .badRequest)
        #expect(answer.fields == refused("3001", "invalid_request", "The phone number is missing."))
    }

    @Test func `4000: a type that is not set up`() throws {
        let bench = try MobileBench()

        let answer = bench.start(MobileBench.otpForm("telepathy"))

        #expect(answer.status == .notFound)
        #expect(answer.fields == refused("4000", "not_found", "Authentication properties are not found."))
        #expect(try bench.events.first == .mobileAuthInitFailureInvalidAuthPropertiesName)
        #expect(
            bench.bench.explanation
                == "There is no mobile authentication type “telepathy”; this world has: qr-code, otp, push, "
                + "push_with_pin, sms. Types are named in onegini.mobile_authentication.types.")
    }

    @Test func `the journal says which type was perhaps meant`() throws {
        let bench = try MobileBench()
        _ = bench.start(MobileBench.otpForm("qrcode"))
        #expect(bench.bench.explanation?.contains("type “qrcode”; did you mean “qr-code”?") == true)
    }

    @Test func `1005: a message of 156 characters; 155 are fine`() throws {
        let bench = try MobileBench()
        let (fine, long) = (String(repeating: "m", count: 155), String(repeating: "m", count: 156))

        #expect(bench.start(with("message", fine, MobileBench.otpForm())).status == .ok)
        let answer = bench.start(with("message", long, MobileBench.otpForm()))

        #expect(answer.status == .badRequest)
        #expect(answer.fields == refused("1005", "invalid_request", "The message is too long."))
    }

    @Test(arguments: [
        ("nobody", MobileBench.adaDevice, "There is no user"),
        ("linus", MobileBench.adaDevice, "on no device"),
        ("ada", MobileBench.graceDevice, "but not on the device"),
        ("grace", MobileBench.graceDevice, "not for push"),
    ])
    func `1001: a user whom no push reaches`(_ user: String, _ device: String, _ reason: String) throws {
        let bench = try MobileBench()

        let answer = bench.start(with("user_id", user, with("device_id", device, MobileBench.pushForm())))

        #expect(answer.status == .notFound)
        #expect(
            answer.fields
                == refused(
                    "1001", "not_found",
                    "No authentication possibilities for user/application or user not found."))
        #expect(bench.bench.explanation?.contains(reason) == true)
    }

    @Test func `a push that cannot be started falls back to a text message`() throws {
        let bench = try MobileBench(
            """
            "types": [{"name": "push", "method": "PUSH", "fallback": "text"}, {"name": "text", "method": "SMS"}]
            """)
        let form = with(
            "user_id", "grace", with("device_id", MobileBench.graceDevice, MobileBench.pushForm()))

        #expect(bench.start(form).status == .notFound)
        let answer = bench.start(form + [("phone_number", "+31612345678")])

        #expect(answer.status == .ok)
        #expect(answer.fields["auth_method"] == "sms")
    }

    @Test(arguments: [
        ("oauth", ["error", "error_description"]), ("numbered", ["error_code", "description"]),
    ])
    func `a world may spell refusals in one shape alone`(_ shape: String, _ members: [String]) throws {
        let bench = try MobileBench("\"error_shape\": \"\(shape)\"")

        let answer = bench.start(MobileBench.otpForm("telepathy"))

        #expect(Set(answer.fields.keys) == Set(members))
    }

    @Test(arguments: [("nl", "Inloggen?"), ("fr", "Log in!"), ("", "Log in!")])
    func `the type's message in the language of the request, or in English`(
        _ language: String, _ expected: String
    ) throws {
        let bench = try MobileBench(
            """
            "types": [{"name": "qr-code", "method": "OTP", "messages": {"en": "Log in!", "nl": "Inloggen?"}}]
            """)
        let form = without("message", MobileBench.otpForm()) + [("language_code", language)]
        let id = try #require(bench.start(form).fields["transaction_id"])

        #expect(try bench.transaction(id).title == expected)
    }

    @Test(arguments: [
        ("203.0.113.7", "Log in? Device: Windows Firefox, Location: NL, Utrecht, Woerden"),
        ("203.0.113.8", "Log in?"),
    ])
    func `a message tells where the request came from, or stays bare`(_ address: String, _ text: String)
        throws
    {
        let bench = try MobileBench(
            """
            "context": {"locations": {"203.0.113.7":
                {"country_code": "NL", "region": "Utrecht", "city": "Woerden"}}}
            """)
        let agent = "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0"
        let (id, _) = try bench.startedOTP([("ip_address", address), ("user_agent", agent)])

        #expect(try bench.transaction(id).title == text)
    }

    @Test func `the address of the page comes where the settings ask for it`() throws {
        let bench = try MobileBench("\"qr_url\": true")

        let answer = bench.start(MobileBench.otpForm())

        let url = try #require(answer.fields["qr_url"])
        #expect(url.hasPrefix("http://localhost:8420/oauth/sdk/v1/qr/"))
        #expect(bench.bench.get(String(url.dropFirst("http://localhost:8420".utf8.count))).status == .ok)
    }
}
